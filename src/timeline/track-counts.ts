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

/** Of one class of one process, by the minute of the stretch: how many were there, and how many of them were new. */
interface Minutes {
  readonly present: Uint32Array
  readonly fresh: Uint32Array
}

/** In steps of whole minutes: those that were there in the first minute, and those that were new in the others. */
export function countMinutes(files: readonly MinutesOfFile[], grid: Grid): ClassCount[] {
  const classes = new Map<string, { tracks: number; counts: number[] }>()
  for (const processId of new Set(files.map((file) => file.processId))) {
    const own = files.filter((file) => file.processId === processId)
    for (const [className, minutes] of minutesByClass(own, grid)) {
      const sum = classes.get(className) ?? { tracks: 0, counts: emptyCounts(grid) }
      classes.set(className, sum)
      sum.tracks += countWithin(minutes, 0, minutes.present.length)
      const length = grid.stepMs / MINUTE_MS
      for (let step = 0; step < grid.steps; step++)
        sum.counts[step]! += countWithin(minutes, step * length, (step + 1) * length)
    }
  }
  return toList(classes)
}

/** A month of many cameras has a million of these minutes: of each, as little is made as can be. */
function minutesByClass(files: readonly MinutesOfFile[], { from, to }: Grid): Map<string, Minutes> {
  const found = new Map<string, Minutes>()
  const length = (to - from) / MINUTE_MS
  for (const { startedAt, minutes } of files) {
    const { classes, m } = parseMinutes(minutes)
    const first = (hourOf(startedAt) - from) / MINUTE_MS
    for (const key in m) {
      const at = first + Number(key)
      if (at < 0 || at >= length) continue
      const counts = m[key]!
      for (let index = 0; index < classes.length; index++) {
        const present = counts[index * 2] ?? 0
        if (present === 0) continue
        // Two files of one minute have nobody in common: a pipeline that is launched anew gives new ids.
        const own = minutesOf(found, classes[index]!, length)
        own.present[at]! += present
        own.fresh[at]! += counts[index * 2 + 1] ?? 0
      }
    }
  }
  return found
}

function minutesOf(found: Map<string, Minutes>, className: string, length: number): Minutes {
  const known = found.get(className)
  if (known) return known
  const minutes = { present: new Uint32Array(length), fresh: new Uint32Array(length) }
  found.set(className, minutes)
  return minutes
}

/** Never less than at once: without tracking nobody is new, and somebody may come back. */
function countWithin({ present, fresh }: Minutes, first: number, end: number): number {
  let seen = present[first]!
  let maxAtOnce = seen
  for (let at = first + 1; at < end; at++) {
    seen += fresh[at]!
    if (present[at]! > maxAtOnce) maxAtOnce = present[at]!
  }
  return Math.max(seen, maxAtOnce)
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
