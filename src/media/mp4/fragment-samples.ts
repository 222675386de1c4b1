import { boxesIn, findBox, type Mp4Box } from './mp4-boxes.ts'

/** What the samples of a track have where a fragment says nothing else (`trex`, ISO/IEC 14496-12 §8.8.3). */
export interface SampleDefaults {
  readonly duration: number
  readonly size: number
  readonly flags: number
}

/** A picture, or a piece of sound. Times are in ticks of its track. */
export interface Sample {
  /** From the beginning of its `moof`, where the fragment says so (`default-base-is-moof`). */
  readonly at: number
  readonly size: number
  readonly decodedAt: number
  readonly shownAt: number
  readonly duration: number
  /** It can be decoded without those before it. */
  readonly isSync: boolean
}

export interface TrackFragment {
  readonly trackId: number
  readonly startTicks: number
  readonly endTicks: number
  readonly samples: readonly Sample[]
}

/** Half a second of anything has far fewer; a count in a broken file is no reason to fill the memory. */
const MAX_SAMPLES = 65_536
const IS_NON_SYNC = 0x10000
export const NO_DEFAULTS: SampleDefaults = { duration: 0, size: 0, flags: 0 }

/** What is in a fragment, by track. Undefined of a `moof` that is none, or that has more samples than any of ours. */
export function samplesIn(
  moof: Buffer,
  defaultsOf: (trackId: number) => SampleDefaults = () => NO_DEFAULTS,
): TrackFragment[] | undefined {
  try {
    const fragments = [...boxesIn(moof)]
      .filter(({ type }) => type === 'traf')
      .map(({ body }) => readTrack(body, defaultsOf))
    return fragments.filter((fragment) => fragment !== undefined)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readTrack(traf: Buffer, defaultsOf: (trackId: number) => SampleDefaults): TrackFragment | undefined {
  const header = findBox(traf, 'tfhd')
  const start = findBox(traf, 'tfdt')
  if (!header || !start) return undefined
  const trackId = header.readUInt32BE(4)
  const defaults = withHeader(header, defaultsOf(trackId))
  const startTicks = start[0] === 1 ? Number(start.readBigUInt64BE(4)) : start.readUInt32BE(4)
  const samples: Sample[] = []
  let ticks = startTicks
  let at = 0
  for (const run of runsIn(traf)) {
    const read = readRun(run, defaults, { at, ticks, room: MAX_SAMPLES - samples.length })
    samples.push(...read.samples)
    ;({ at, ticks } = read)
  }
  return { trackId, startTicks, endTicks: ticks, samples }
}

function runsIn(traf: Buffer): Buffer[] {
  return [...boxesIn(traf)].filter(({ type }: Mp4Box) => type === 'trun').map(({ body }) => body)
}

/** Fields of a `tfhd` (§8.8.7) are there as its flags say, in this order. */
function withHeader(tfhd: Buffer, defaults: SampleDefaults): SampleDefaults {
  const flags = tfhd.readUInt32BE(0)
  let at = 8 + (flags & 0x01 ? 8 : 0) + (flags & 0x02 ? 4 : 0)
  const next = (flag: number, otherwise: number) => {
    if (!(flags & flag)) return otherwise
    at += 4
    return tfhd.readUInt32BE(at - 4)
  }
  return { duration: next(0x08, defaults.duration), size: next(0x10, defaults.size), flags: next(0x20, defaults.flags) }
}

interface RunStart {
  readonly at: number
  readonly ticks: number
  readonly room: number
}

/** A `trun` (§8.8.8). One without an offset goes on where the one before ended. */
function readRun(trun: Buffer, defaults: SampleDefaults, start: RunStart) {
  const flags = trun.readUInt32BE(0)
  const count = trun.readUInt32BE(4)
  if (count > start.room) throw new RangeError('more samples than any fragment has')
  let field = 8
  const next = (flag: number) => {
    if (!(flags & flag)) return undefined
    field += 4
    return trun.readInt32BE(field - 4)
  }
  let at = next(0x001) ?? start.at
  const firstFlags = next(0x004)
  let { ticks } = start
  const samples: Sample[] = []
  for (let number = 0; number < count; number++) {
    const duration = (next(0x100) ?? defaults.duration) >>> 0
    const size = (next(0x200) ?? defaults.size) >>> 0
    const ownFlags = next(0x400) ?? (number === 0 ? firstFlags : undefined) ?? defaults.flags
    // Signed in version 1; in version 0 no picture is shown so much later that it would matter.
    const shownAfter = next(0x800) ?? 0
    const isSync = !(ownFlags & IS_NON_SYNC)
    samples.push({ at, size, decodedAt: ticks, shownAt: ticks + shownAfter, duration, isSync })
    at += size
    ticks += duration
  }
  return { samples, at, ticks }
}
