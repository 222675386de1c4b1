/** Runs the faults whose names hold the words given, or all, and writes the table of `docs/reliability.md`; rows of others stay as they are. */
import { loadavg } from 'node:os'
import { machineLine } from '../support/machine-line.ts'
import { writeReliability } from '../support/reliability-page.ts'
import { atMostMs, breakAndWatch, isMet, type Outcome, type Recovery } from './experiment.ts'
import { type Fault } from './fault.ts'
import { faults } from './faults/all.ts'
import { type Load, startLoad } from './load.ts'

const words = process.argv.slice(2)
const chosen = faults.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
if (chosen.length === 0) {
  console.error(`no fault has these words; there are:\n${faults.map(({ name }) => `  ${name}`).join('\n')}`)
  process.exit(1)
}

const rows: string[] = []
let missed = 0
for (const database of ['sqlite', 'postgres'] as const) {
  const own = chosen.filter((fault) => (fault.database ?? 'sqlite') === database)
  if (own.length > 0) await runAll(own, await startLoad(database))
}
if (words.length === 0) writeTable()
console.log(`${chosen.length - missed} of ${chosen.length} faults met their goals`)
process.exit(missed === 0 ? 0 : 1)

async function runAll(own: readonly Fault[], load: Load): Promise<void> {
  try {
    for (const fault of own) {
      const row = await rowOf(fault, load)
      rows.push(row)
      console.log(row)
    }
  } finally {
    await load.close()
  }
}

async function rowOf(fault: Fault, load: Load): Promise<string> {
  const busy = loadavg()[0]!
  const isPossible = fault.needs === undefined || load.hasOwnDisk
  const outcome = isPossible ? await breakAndWatch(load, fault) : undefined
  if (!outcome || !isMet(outcome)) missed += 1
  return outcome ? toRow(outcome, busy) : `| ${fault.name} | not possible here: it needs ${fault.needs} | | | | | no |`
}

function toRow(outcome: Outcome, busy: number): string {
  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  const backAfter = (recovery: Recovery) =>
    recovery.afterMs === undefined ? 'not' : `${recovery.afterMs === 0 ? '<' : ''}${seconds(atMostMs(recovery))}`
  const back = [...outcome.recovered].map(
    ([name, recovery]) => `${name} ${backAfter(recovery)} (${seconds(recovery.goalMs)})`,
  )
  const others = [...outcome.noticed].map(([name, gapMs]) => `${name} ${seconds(gapMs)}`)
  const { maxAnswerMs } = outcome.fault
  const cells = [
    outcome.fault.name,
    back.join(', '),
    others.join(', ') || 'nothing',
    outcome.losses.join(', ') || 'nothing',
    [outcome.answerMsP99?.toFixed(0), maxAnswerMs && `(${maxAnswerMs})`].filter(Boolean).join(' '),
    busy.toFixed(1),
    isMet(outcome) ? 'yes' : 'no',
  ]
  return `| ${cells.join(' | ')} |`
}

function writeTable(): void {
  const text = [
    '## Broken on purpose',
    '',
    'Written by `npm run chaos`. A service with two streams (RTSP and RTMP), two processes, recordings, viewers by HLS and WebRTC, an alert by webhook',
    'and MQTT, and a client of its API; one thing breaks after the other, and nobody mends anything by hand. Seconds until each part was back',
    '(and the goal), counted from the fault, or from its end where it lasts (`<`: no pause was longer, which is as much as is sometimes usual);',
    'who else noticed it; what was lost, doubled or charged wrongly.',
    '',
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.`,
    '',
    '| fault | back after (goal), s | noticed by others | lost | API p99 (goal), ms | load | met |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ]
  writeReliability('chaos', text.join('\n'))
}
