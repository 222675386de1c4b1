/** `npm run soak -- --minutes N [--seed N]`: uses a service for as long, and writes what came of it to `docs/reliability.md`. */
import { parseArgs } from 'node:util'
import { machineLine } from '../support/machine-line.ts'
import { writeReliability } from '../support/reliability-page.ts'
import { MEASURES } from './judge.ts'
import { soak, type SoakResult } from './soak.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: String(Date.now() % 1e6) } },
})
const minutes = Number(values.minutes)
const seed = Number(values.seed)
console.log(`${minutes} minutes, seed ${seed}`)

const result = await soak({
  minutes,
  seed,
  onMinute(minute, samples) {
    const parts = samples.map(({ part, memoryMb, handles, threads }) => {
      return `${part.split(' ')[0]} ${memoryMb.toFixed(0)} MB, ${handles} handles, ${threads} threads`
    })
    console.log(`minute ${minute}: ${parts.join('; ')}`)
  },
})
const growing = result.trends.filter(({ isGrowing }) => isGrowing)
for (const fault of result.faults) console.log(`FAULT ${fault}`)
for (const { part, measure, first, last } of growing) console.log(`GROWING ${part} ${measure}: ${first} to ${last}`)
const isMet = result.faults.length === 0 && growing.length === 0
if (minutes >= 60) writeReliability('soak', toSection(result))
console.log(isMet ? 'all was well' : 'not all was well')
process.exit(isMet ? 0 : 1)

function toSection({ trends, done, faults, notifications, answerMsP99 }: SoakResult): string {
  const parts = [...new Set(trends.map(({ part }) => part))]
  const cellOf = (part: string, measure: string) => {
    const { first, last, isGrowing } = trends.find((trend) => trend.part === part && trend.measure === measure)!
    return `${first.toFixed(0)} → ${last.toFixed(0)}${isGrowing ? ' (grows)' : ''}`
  }
  return [
    '## Used for an hour',
    '',
    `Written by \`npm run soak\`. Two streams, two processes, recordings, viewers and an alert go on all the time; beside them, at random: ${[
      ...done,
    ]
      .map(([name, count]) => `${name} (${count})`)
      .join(', ')}. What each part held in minutes 5 to 10, and in the last five.`,
    '',
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}. ${minutes} minutes, seed ${seed}, ${notifications} notifications, answers of the API within ${answerMsP99.toFixed(0)} ms (p99).`,
    `Wrong: ${faults.join('; ') || 'nothing'}.`,
    '',
    '| part | memory, MB | handles | threads |',
    '|---|---|---|---|',
    ...parts.map(
      (part) => `| ${[part.split(' ')[0], ...MEASURES.map((measure) => cellOf(part, measure))].join(' | ')} |`,
    ),
  ].join('\n')
}
