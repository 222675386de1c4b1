import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, startLoad } from '../chaos/load.ts'
import { countConflicts, countDisordered, countMissing } from '../chaos/losses.ts'
import { createRandom } from '../fuzz/random.ts'
import { countZombies } from '../support/child-processes.ts'
import { until } from '../support/until.ts'
import { startChurn } from './churn.ts'
import { judge, type Sample, type Trend } from './judge.ts'
import { takeSamples } from './samples.ts'

export interface SoakOptions {
  readonly minutes: number
  readonly seed: number
  readonly onMinute?: (minute: number, samples: readonly Sample[]) => void
}

export interface SoakResult {
  readonly trends: readonly Trend[]
  /** How often each thing was done. */
  readonly done: ReadonlyMap<string, number>
  /** What is wrong, in words; nothing of growth. */
  readonly faults: readonly string[]
  readonly notifications: number
  readonly answerMsP99: number
}

const SAMPLE_EVERY_MS = 5_000
/** Charging is in steps, and of what runs the last is still to come. */
const MAX_LEDGER_DIFFERENCE_SECONDS = 15

/** Users come and go for as long as it is to last; then everything is looked at. */
export async function soak({ minutes, seed, onMinute }: SoakOptions): Promise<SoakResult> {
  const load = await startLoad()
  const leaving = new AbortController()
  try {
    const churn = startChurn(load, await load.rig.cutClip(3), createRandom(seed), leaving.signal)
    const samples: Sample[] = []
    const beganMs = performance.now()
    const passedMinutes = () => (performance.now() - beganMs) / 60_000
    let reportedMinute = 0
    let filesAfterStart = 0
    while (passedMinutes() < minutes) {
      await sleep(SAMPLE_EVERY_MS)
      const now = takeSamples(load.rig.service.process.pid!, passedMinutes())
      samples.push(...now)
      if (passedMinutes() < reportedMinute + 1) continue
      reportedMinute = Math.floor(passedMinutes())
      filesAfterStart ||= temporaryFiles(load)
      onMinute?.(reportedMinute, now)
    }
    leaving.abort()
    const faults = [...churn.failures, ...(await findFaults(load, filesAfterStart))]
    const sorted = load.api.answerMs.toSorted((a, b) => a - b)
    return {
      trends: judge(samples, minutes),
      done: churn.done,
      faults,
      notifications: load.arrivals().length,
      answerMsP99: sorted[Math.floor(sorted.length * 0.99)]!,
    }
  } finally {
    leaving.abort()
    await load.close()
  }
}

async function findFaults(load: Load, filesAfterStart: number): Promise<string[]> {
  await until(async () => countMissing(load.arrivals(), false) === 0, 30_000).catch(() => {})
  const arrivals = load.arrivals()
  const gaps = await recordingGaps(load)
  const counts: readonly (readonly [number, string])[] = [
    [countMissing(arrivals, false), 'notifications lost'],
    [countConflicts(arrivals), 'ids of notifications used twice'],
    [countDisordered(arrivals), 'notifications out of order'],
    [[...load.api.faults.values()].reduce((sum, count) => sum + count, 0), 'answers of 5xx without a reason'],
    [gaps, 'gaps in recordings'],
    [await ledgerDifference(load), 'seconds by which the ledger differs from its processes'],
    [Math.max(0, temporaryFiles(load) - filesAfterStart - 5), 'temporary files left'],
    [countZombies(load.rig.service.process.pid!), 'zombies'],
  ]
  return counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
}

async function recordingGaps({ rig }: Load): Promise<number> {
  const recordings = await rig.ask<{ gaps: unknown[] }[]>('GET', '/sources/recordings')
  return recordings.reduce((sum, { gaps }) => sum + gaps.length, 0)
}

/** What the account was charged is what its processes say they took. */
async function ledgerDifference({ rig }: Load): Promise<number> {
  let processSeconds = 0
  let next: string | undefined = '/processes?limit=100'
  while (next !== undefined) {
    const answer: Response = await rig.service.call('GET', next)
    const processes = (await answer.json()) as { stats: { consumed_seconds: number } }[]
    processSeconds += processes.reduce((sum, { stats }) => sum + stats.consumed_seconds, 0)
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  const { subscription } = await rig.ask<{ subscription: { consumed_minutes: number } }>('GET', '/user_info')
  const difference = Math.abs(subscription.consumed_minutes * 60 - processSeconds)
  return difference > MAX_LEDGER_DIFFERENCE_SECONDS ? Math.round(difference) : 0
}

/** Beside the data, which grow. */
function temporaryFiles({ folder }: Load): number {
  return readdirSync(folder).length
}
