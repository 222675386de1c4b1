import { type LookOfProcess } from './detection-reader.ts'
import { hourOf, MINUTE_MS, parseMinutes } from './minute-counts.ts'
import { type Grid } from './steps.ts'

/** How many different tracks of a class there were, in all and in each step. Without tracking: the most at once. */
export interface ClassCount {
  readonly className: string
  readonly tracks: number
  readonly counts: readonly number[]
}

export interface MinutesOfFile {
  readonly processId: string
  readonly startedAt: number
  /** As it is stored. */
  readonly minutes: string
}

/** Of one class of one process: who was there in a minute, and who of them was new. */
interface MinuteOfClass {
  readonly at: number
  present: number
  fresh: number
}

/** In steps of whole minutes: those that were there in the first minute, and those that were new in the others. */
export function countMinutes(files: readonly MinutesOfFile[], grid: Grid): ClassCount[] {
  const classes = new Map<string, { tracks: number; counts: number[] }>()
  for (const [className, ofProcesses] of minutesByClass(files, grid)) {
    const sum = { tracks: 0, counts: emptyCounts(grid) }
    for (const minutes of ofProcesses.values()) addProcess(sum, minutes.values(), grid)
    classes.set(className, sum)
  }
  return toList(classes)
}

type Minutes = Map<number, MinuteOfClass>
type ByProcess = Map<string, Minutes>

/** A month has a million of these: for each of them as little as can be is looked up. */
function minutesByClass(files: readonly MinutesOfFile[], { from, to }: Grid): Map<string, ByProcess> {
  const found = new Map<string, ByProcess>()
  for (const { processId, startedAt, minutes } of files) {
    const { classes, m } = parseMinutes(minutes)
    const hour = hourOf(startedAt)
    const ofClasses: (Minutes | undefined)[] = classes.map(() => undefined)
    for (const [key, counts] of Object.entries(m)) {
      const at = hour + Number(key) * MINUTE_MS
      if (at < from || at >= to) continue
      for (const [index, className] of classes.entries()) {
        const present = counts[index * 2] ?? 0
        if (present === 0) continue
        const fresh = counts[index * 2 + 1] ?? 0
        const ofClass = (ofClasses[index] ??= minutesOf(found, className, processId))
        const known = ofClass.get(at)
        // Two files of one minute have nobody in common: a pipeline that is launched anew gives new ids.
        if (known) Object.assign(known, { present: known.present + present, fresh: known.fresh + fresh })
        else ofClass.set(at, { at, present, fresh })
      }
    }
  }
  return found
}

function minutesOf(found: Map<string, ByProcess>, className: string, processId: string): Minutes {
  const ofProcesses: ByProcess = found.get(className) ?? new Map<string, Minutes>()
  const minutes: Minutes = ofProcesses.get(processId) ?? new Map<number, MinuteOfClass>()
  found.set(className, ofProcesses.set(processId, minutes))
  return minutes
}

function addProcess(
  sum: { tracks: number; readonly counts: number[] },
  minutes: Iterable<MinuteOfClass>,
  { from, stepMs }: Grid,
): void {
  const whole = createTally()
  const steps = new Map<number, ReturnType<typeof createTally>>()
  for (const minute of minutes) {
    const step = Math.floor((minute.at - from) / stepMs)
    const tally = steps.get(step) ?? createTally()
    steps.set(step, tally)
    tally.add(minute, from + step * stepMs)
    whole.add(minute, from)
  }
  sum.tracks += whole.count
  for (const [step, { count }] of steps) sum.counts[step]! += count
}

/** Of minutes that follow each other. */
function createTally() {
  let [seen, most] = [0, 0]
  return {
    add({ at, present, fresh }: MinuteOfClass, firstAt: number): void {
      seen += at === firstAt ? present : fresh
      most = Math.max(most, present)
    },
    /** Never less than at once: without tracking nobody is new, and somebody may come back. */
    get count() {
      return Math.max(seen, most)
    },
  }
}

/** In steps of seconds: each track of each step, by what was seen itself. */
export async function countLooks(looks: AsyncIterable<readonly LookOfProcess[]>, grid: Grid): Promise<ClassCount[]> {
  const whole = createSeen()
  const steps = new Map<number, ReturnType<typeof createSeen>>()
  for await (const some of looks)
    for (const one of some) {
      const step = Math.floor((one.look.takenAtMs - grid.from) / grid.stepMs)
      const seen = steps.get(step) ?? createSeen()
      steps.set(step, seen)
      seen.add(one)
      whole.add(one)
    }
  const classes = new Map<string, { tracks: number; counts: number[] }>()
  for (const [className, tracks] of whole.count()) classes.set(className, { tracks, counts: emptyCounts(grid) })
  for (const [step, seen] of steps)
    // A class that nobody is of at the end has its steps all the same.
    for (const [className, count] of seen.count()) {
      const sum = classes.get(className) ?? { tracks: 0, counts: emptyCounts(grid) }
      sum.counts[step] = count
      classes.set(className, sum)
    }
  return toList(classes)
}

function createSeen() {
  /** The class of each as it was taken for last. */
  const classes = new Map<string, string>()
  const maxAtOnce = new Map<string, number>()
  return {
    add({ processId, look }: LookOfProcess): void {
      const untracked = new Map<string, number>()
      for (const { id, className } of look.tracks)
        if (id === 0) untracked.set(className, (untracked.get(className) ?? 0) + 1)
        else classes.set(`${processId} ${id}`, className)
      for (const [className, count] of untracked) {
        const key = `${processId} ${className}`
        maxAtOnce.set(key, Math.max(maxAtOnce.get(key) ?? 0, count))
      }
    },
    count(): Map<string, number> {
      const counts = new Map<string, number>()
      const add = (className: string, count: number) => counts.set(className, (counts.get(className) ?? 0) + count)
      for (const className of classes.values()) add(className, 1)
      for (const [key, count] of maxAtOnce) add(key.slice(key.indexOf(' ') + 1), count)
      return counts
    },
  }
}

const emptyCounts = ({ steps }: Grid): number[] => Array.from({ length: steps }, () => 0)

function toList(classes: ReadonlyMap<string, { readonly tracks: number; readonly counts: number[] }>): ClassCount[] {
  return [...classes]
    .map(([className, count]) => ({ className, ...count }))
    .sort((a, b) => b.tracks - a.tracks || (a.className < b.className ? -1 : 1))
}
