import { countZombies } from '../support/child-processes.ts'
import { until } from '../support/until.ts'
import { type Fault, type Goals } from './fault.ts'
import { type Load, type SignalName } from './load.ts'
import { type Arrival, countBroken, countConflicts, countDisordered, countMissing } from './losses.ts'
import { longestGapMs, recoveredAfterMs, type Signal } from './signal.ts'

/** When something was back that a fault concerns. */
export interface Recovery {
  /** Undefined if not within a minute. 0 where it was not seen to pause. */
  readonly afterMs: number | undefined
  /** A pause of up to this is not seen. */
  readonly maxGapMs: number
  readonly goalMs: number
}

/** What became of everything by one fault. */
export interface Outcome {
  readonly fault: Fault
  readonly recovered: ReadonlyMap<SignalName, Recovery>
  /** Whom it does not concern, and who paused for longer than usual all the same, also while it lasted: for how long. */
  readonly noticed: ReadonlyMap<SignalName, number>
  /** How long the API took to answer meanwhile, at most but for one in a hundred. */
  readonly answerMsP99: number | undefined
  /** In words; none where all is well. */
  readonly losses: readonly string[]
}

/** Before a fault all must be well for so long. */
const STEADY_MS = 6_000
/** What pauses for no longer is well. */
const EVEN_GAP_MS = 1_000
/** What others may notice: the machine is small, and starting a part again takes some of it. */
const MAX_NOTICED_MS = 3_000
const MAX_RECOVERY_MS = 60_000
/** What must not notice anything is looked at for as long. */
const MIN_WATCH_MS = 8_000
/** After it is back it must stay so. */
const STAYS_MS = 3_000
/** What waited is delivered, and what is no longer needed has ended. */
const MAX_SETTLE_MS = 30_000
/** Of what was recorded when everything was killed. */
const MAX_RECORDING_LOSS_MS = 500
/** Charging is in steps of this. */
const MAX_LEDGER_LOSS_SECONDS = 10
/** Both processes may be charged for the seconds until it is noticed that there is nothing to see. */
const MAX_CHARGED_UNSEEN_SECONDS = 14
/** A busy machine looks seldom. */
const MAX_COVERED_GAP_MS = 3_000

export async function breakAndWatch(load: Load, fault: Fault): Promise<Outcome> {
  const judged = [...load.signals].filter(([name]) => !fault.without?.includes(name))
  const maxGaps = await waitUntilSteady(judged)
  const before = await takeStock(load)
  load.api.clear()

  const injectedMs = performance.now()
  const hit = (await fault.inject(load)) ?? {}
  const faultMs = fault.lasts ? performance.now() : injectedMs
  const goals: Goals = hit.goals ?? fault.goals
  const concerned = judged.filter(([name]) => goals[name] !== undefined)
  const recoveryOf = ([name, { times }]: readonly [SignalName, Signal]) =>
    recoveredAfterMs(times, { faultMs, nowMs: performance.now(), maxGapMs: maxGaps.get(name)! })
  const isBack = (entry: readonly [SignalName, Signal]) => {
    const afterMs = recoveryOf(entry)
    // A pause is known as one only when it is longer than usual.
    const isSeen = performance.now() - faultMs > maxGaps.get(entry[0])! + STAYS_MS
    return isSeen && afterMs !== undefined && performance.now() - (faultMs + afterMs) > STAYS_MS
  }
  const isWatched = () => performance.now() - faultMs > MIN_WATCH_MS
  await until(async () => isWatched() && concerned.every(isBack), MAX_RECOVERY_MS).catch(() => {})
  const recovered = new Map(
    concerned.map((entry) => {
      const [name] = entry
      return [name, { afterMs: recoveryOf(entry), maxGapMs: maxGaps.get(name)!, goalMs: goals[name]! }]
    }),
  )
  const noticed = new Map(
    judged
      .filter(([name]) => goals[name] === undefined)
      .map(([name, { times }]) => [name, longestGapMs(times, injectedMs, performance.now())] as const)
      .filter(([name, gapMs]) => gapMs > maxGaps.get(name)! + MAX_NOTICED_MS),
  )
  const sorted = load.api.answerMs.toSorted((a, b) => a - b)
  const answerMsP99 = sorted[Math.floor(0.99 * sorted.length)]
  const unnamed = fault.notReady !== undefined && !load.api.notReady.has(fault.notReady)
  const losses = [
    ...(unnamed ? [`/readyz did not name the ${fault.notReady}`] : []),
    ...(hit.wrong ?? []),
    ...(await findLosses(load, fault, before)),
  ]
  return { fault, recovered, noticed, answerMsP99, losses }
}

/** By when it was back for certain: a pause may have gone unseen. */
export function atMostMs({ afterMs = Infinity, maxGapMs }: Recovery): number {
  return afterMs === 0 ? maxGapMs : afterMs
}

/** Whether it was back in time, and nothing else happened. */
export function isMet({ fault, recovered, noticed, answerMsP99, losses }: Outcome): boolean {
  const isInTime = [...recovered.values()].every((recovery) => atMostMs(recovery) <= recovery.goalMs)
  const isAnswered = fault.maxAnswerMs === undefined || (answerMsP99 ?? Infinity) <= fault.maxAnswerMs
  return isInTime && isAnswered && noticed.size === 0 && losses.length === 0
}

/** Resolves with the longest pause of each that is usual, doubled. */
async function waitUntilSteady(
  signals: readonly (readonly [SignalName, Signal])[],
): Promise<ReadonlyMap<SignalName, number>> {
  const gapOf = ({ times }: Signal) => longestGapMs(times, performance.now() - STEADY_MS, performance.now())
  const isEven = ([, signal]: (typeof signals)[number]) => gapOf(signal) < Math.max(signal.maxGapMs, EVEN_GAP_MS)
  const isSteady = ([, signal]: (typeof signals)[number]) => gapOf(signal) < STEADY_MS / 2
  // A busy machine may never be so; then longer pauses go unseen, and the outcome says which.
  await until(async () => signals.every(isEven), MAX_RECOVERY_MS / 2).catch(() => {})
  await until(async () => signals.every(isSteady), MAX_RECOVERY_MS).catch(() => {
    const silent = signals.filter((entry) => !isSteady(entry)).map(([name]) => name)
    throw new Error(`all must be well before something is broken, but there is nothing of: ${silent.join(', ')}`)
  })
  return new Map(signals.map(([name, signal]) => [name, Math.max(signal.maxGapMs, 2 * gapOf(signal))]))
}

interface Stock {
  readonly atMs: number
  readonly wallMs: number
  readonly consumedSeconds: number
  readonly parts: number
}

async function takeStock(load: Load): Promise<Stock> {
  const infos = await Promise.all(Object.values(load.processes).map((id) => load.rig.info(id)))
  return {
    atMs: performance.now(),
    wallMs: Date.now(),
    consumedSeconds: infos.reduce((sum, { stats }) => sum + stats.consumed_seconds, 0),
    parts: load.parts('/').length,
  }
}

async function findLosses(load: Load, fault: Fault, before: Stock): Promise<string[]> {
  const isKill = fault.isKill === true
  const zombies = () => countZombies(load.rig.service.process.pid!)
  const lost = (arrivals: readonly Arrival[]) =>
    countMissing(arrivals, isKill) + (isKill ? countBroken(load.promised, arrivals) : 0)
  const isSettled = async () =>
    lost(load.arrivals()) === 0 && zombies() === 0 && (await takeStock(load)).parts === before.parts
  await until(isSettled, MAX_SETTLE_MS).catch(() => {})
  const arrivals = load.arrivals()
  const after = await takeStock(load)
  const scenes = (['yard scenes', 'gate scenes'] as const).map((name) => load.signals.get(name)!)
  const seenSeconds = scenes.reduce((sum, { times }) => sum + coveredMs(times, before.atMs, after.atMs) / 1_000, 0)
  const maxUnseenSeconds = MAX_CHARGED_UNSEEN_SECONDS + (fault.unseenSeconds ?? 0)
  const charged = after.consumedSeconds - before.consumedSeconds
  const recordingMs = isKill ? await recordingLossMs(load, before.wallMs) : 0
  const counts: readonly (readonly [number, string])[] = [
    [recordingMs > MAX_RECORDING_LOSS_MS ? Math.round(recordingMs) : 0, 'ms of recording lost'],
    [lost(arrivals), 'notifications lost'],
    [countConflicts(arrivals), 'ids of notifications used twice'],
    [countDisordered(arrivals), 'notifications out of order'],
    [[...load.api.faults.values()].reduce((sum, count) => sum + count, 0), 'answers of 5xx without a reason'],
    [Math.floor(Math.max(0, seenSeconds - charged - MAX_LEDGER_LOSS_SECONDS)), 'seconds not charged'],
    [Math.floor(Math.max(0, charged - seenSeconds - maxUnseenSeconds)), 'seconds charged too much'],
    [zombies(), 'zombies'],
    [Math.max(0, after.parts - before.parts), 'parts too many'],
    [Math.max(0, before.parts - after.parts), 'parts too few'],
  ]
  return counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
}

interface RecordedSegment {
  readonly start: string
  readonly duration_seconds: number | null
}

/** How much is missing at the end of the file that was being written at that moment. */
async function recordingLossMs({ rig, sources }: Load, killedAtMs: number): Promise<number> {
  const path = `/sources/recordings?source_uuid=${sources.yard}`
  const recordings = await rig.ask<{ segments: RecordedSegment[] }[]>('GET', path)
  const ends = recordings
    .flatMap(({ segments }) => segments)
    .filter(({ start }) => Date.parse(start) < killedAtMs)
    .map(({ start, duration_seconds: seconds }) => Date.parse(start) + (seconds ?? 0) * 1_000)
  return killedAtMs - Math.max(...ends)
}

/** How much of the time between was covered by what came again and again. */
function coveredMs(times: readonly number[], fromMs: number, toMs: number): number {
  const inside = times.filter((time) => time >= fromMs && time <= toMs)
  return inside
    .slice(1)
    .reduce((sum, time, index) => sum + (time - inside[index]! < MAX_COVERED_GAP_MS ? time - inside[index]! : 0), 0)
}
