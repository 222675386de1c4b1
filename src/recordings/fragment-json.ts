import { type FragmentGroup, type FragmentIndex, type RecordedMediaTrack } from '../core/recorded-time.ts'

// An index as it is in its row: short, since there is one for each minute that is kept, and read back with care, since rows come back
// with backups that somebody may have made up.

interface Stored {
  /** Bytes of the header, and the first digits of its hash. */
  readonly i: number
  readonly h: string
  readonly c: string
  readonly w: number
  readonly h2: number
  readonly t: readonly (readonly [id: number, kind: 'v' | 'a', timescale: number])[]
  /** Pairs of milliseconds and bytes, each as the difference to the pair before. */
  readonly g: readonly number[]
  /** Where the last group ends. */
  readonly e: number
  /** How long its samples take. */
  readonly m?: number
}

const MAX_TRACKS = 8

export function fragmentIndexToJson(index: FragmentIndex): string {
  const { init, initHash, codecs, width, height, tracks, groups, end, mediaMs } = index
  const stored: Stored = {
    i: init,
    h: initHash,
    c: codecs,
    w: width,
    h2: height,
    t: tracks.map(({ id, kind, timescale }) => [id, kind === 'video' ? 'v' : 'a', timescale]),
    g: groups.flatMap(({ ms, byte }, at) => [ms - (groups[at - 1]?.ms ?? 0), byte - (groups[at - 1]?.byte ?? 0)]),
    e: end,
    ...(mediaMs !== null && { m: mediaMs }),
  }
  return JSON.stringify(stored)
}

/** Null also of what is no index. */
export function fragmentIndexFromJson(json: string | null): FragmentIndex | null {
  if (json === null) return null
  try {
    return toIndex(JSON.parse(json) as Partial<Record<keyof Stored, unknown>>)
  } catch {
    return null
  }
}

function toIndex({ i, h, c, w, h2, t, g, e, m = null }: Partial<Record<keyof Stored, unknown>>): FragmentIndex | null {
  const groups = toGroups(g)
  const tracks = toTracks(t)
  const last = groups?.at(-1)
  if (!isCount(i) || !isCount(w) || !isCount(h2) || !isCount(e) || !(m === null || isCount(m))) return null
  if (!isName(h, /^[0-9a-f]{16}$/) || !isName(c, /^[\w.,]{1,200}$/)) return null
  if (!groups || !last || !tracks || groups[0]!.byte < i || last.byte >= e) return null
  return { init: i, initHash: h, codecs: c, width: w, height: h2, tracks, groups, end: e, mediaMs: m }
}

function toGroups(stored: unknown): FragmentGroup[] | undefined {
  if (!Array.isArray(stored) || stored.length % 2 !== 0 || !stored.every(isCount)) return undefined
  const groups: FragmentGroup[] = []
  let [ms, byte] = [0, 0]
  for (let at = 0; at < stored.length; at += 2) {
    ms += stored[at]!
    byte += stored[at + 1]!
    groups.push({ ms, byte })
  }
  const isRising = groups.every(
    (group, at) => at === 0 || (group.ms > groups[at - 1]!.ms && group.byte > groups[at - 1]!.byte),
  )
  return isRising && groups[0]?.ms === 0 ? groups : undefined
}

function toTracks(stored: unknown): RecordedMediaTrack[] | undefined {
  if (!Array.isArray(stored) || stored.length === 0 || stored.length > MAX_TRACKS) return undefined
  const tracks = stored.map((track: unknown) => {
    const [id, kind, timescale] = Array.isArray(track) ? (track as unknown[]) : []
    return isCount(id) && isCount(timescale) && timescale > 0
      ? ({ id, kind: kind === 'v' ? 'video' : 'audio', timescale } as const)
      : undefined
  })
  const known = tracks.filter((track) => track !== undefined)
  return known.length === tracks.length && known[0]?.kind === 'video' ? known : undefined
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isName(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value)
}
