import { intersectionOverUnion } from '../src/core/detection.ts'
import { assign } from '../src/pipeline/track/assignment.ts'
import { type Identified } from './identity-switches.ts'

/** Overlaps from which a track counts as being on an object: the mean over them is taken. */
const OVERLAPS = Array.from({ length: 19 }, (_, index) => 0.05 * (index + 1))

interface Pair {
  readonly object: number
  readonly track: number
  readonly overlap: number
}

/**
 * HOTA (Luiten and others, 2021): how well tracks find objects and keep to them, 0…100; the geometric mean of the two, frame by frame
 * joined so that what belongs together over the whole clip is preferred.
 */
export function hotaOf(
  objects: readonly (readonly Identified[])[],
  tracks: readonly (readonly Identified[])[],
): number {
  const lengths = { objects: lengthsOf(objects), tracks: lengthsOf(tracks) }
  const overlaps = objects.map((seen, frame) => pairsOf(seen, tracks[frame]!))
  const alignment = alignmentOf(overlaps, lengths)
  const joined = overlaps.flatMap((pairs) => {
    const scored = pairs.map((pair) => ({ ...pair, score: pair.overlap * alignment.get(keyOf(pair))! }))
    const candidates = scored.map(({ object, track, score }) => ({ row: object, column: track, score }))
    return assign(candidates).map(({ row, column }) => {
      return scored.find(({ object, track }) => object === row && track === column)!
    })
  })
  const all = { objects: sum(lengths.objects.values()), tracks: sum(lengths.tracks.values()) }
  const scores = OVERLAPS.map((min) => {
    const hits = joined.filter(({ overlap }) => overlap >= min - Number.EPSILON)
    const together = new Map<string, number>()
    for (const pair of hits) together.set(keyOf(pair), (together.get(keyOf(pair)) ?? 0) + 1)
    const association = hits.map((pair) => {
      const count = together.get(keyOf(pair))!
      return count / (lengths.objects.get(pair.object)! + lengths.tracks.get(pair.track)! - count)
    })
    const found = hits.length / (all.objects + all.tracks - hits.length)
    return Math.sqrt(found * (sum(association) / Math.max(1, hits.length)))
  })
  return (100 * sum(scores)) / scores.length
}

/** In how many frames each is. */
function lengthsOf(frames: readonly (readonly Identified[])[]): Map<number, number> {
  const lengths = new Map<number, number>()
  for (const { id } of frames.flat()) lengths.set(id, (lengths.get(id) ?? 0) + 1)
  return lengths
}

function pairsOf(objects: readonly Identified[], tracks: readonly Identified[]): Pair[] {
  return objects.flatMap((object) =>
    tracks.flatMap((track) => {
      const overlap = intersectionOverUnion(object.box, track.box)
      return overlap > 0 ? [{ object: object.id, track: track.id, overlap }] : []
    }),
  )
}

/** How far each object and each track belong together, over all frames. */
function alignmentOf(
  frames: readonly (readonly Pair[])[],
  lengths: { readonly objects: ReadonlyMap<number, number>; readonly tracks: ReadonlyMap<number, number> },
): Map<string, number> {
  const shared = new Map<string, number>()
  for (const pairs of frames) {
    for (const pair of pairs) {
      const beside = pairs.filter(({ object, track }) => object === pair.object || track === pair.track)
      const share = pair.overlap / sum(beside.map(({ overlap }) => overlap))
      shared.set(keyOf(pair), (shared.get(keyOf(pair)) ?? 0) + share)
    }
  }
  return new Map(
    frames.flat().map((pair) => {
      const common = shared.get(keyOf(pair))!
      return [keyOf(pair), common / (lengths.objects.get(pair.object)! + lengths.tracks.get(pair.track)! - common)]
    }),
  )
}

const keyOf = ({ object, track }: Pair) => `${object} ${track}`

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
