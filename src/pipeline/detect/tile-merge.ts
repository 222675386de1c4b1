import { intersectionArea, intersectionOverUnion, type Box, type Detection, type Size } from '../../core/detection.ts'
import { suppressionGroup } from './non-max-suppression.ts'

/** What was found in one region of a picture, in input pixels. */
export interface RegionDetections {
  readonly region: Box
  readonly detections: readonly Detection[]
}

/** Boxes of one object that overlap by more than this are one; seen at two scales, they agree less. */
const maxOverlap = { inOneRegion: 0.5, acrossRegions: 0.35 } as const
/** A cut-off piece is explained by a box that covers this much of it. */
const COVERAGE = 0.7
/** It is at most so many times as long as the piece: less where no border ends the piece, since there both show the same. */
const MAX_LONGER = { whole: 3, cut: 12 } as const
/** Two pieces of one object agree this much along the border that parts them (intersection over union of lengths). */
const AGREEMENT = 0.6
/** How near to a tile's border a box counts as cut by it, in parts of the tile's side. */
const NEARNESS = 0.015

type Side = 'left' | 'right' | 'top' | 'bottom'

interface Candidate extends Detection {
  readonly region: Box
  /** The sides on which a tile's border, and not the object, ends the box. */
  readonly cut: ReadonlySet<Side>
}

/**
 * One list of objects from overlapping regions. An object that a tile's border cuts in two shows as two pieces; they
 * yield to a box of the whole object if one region saw it, and are joined to one box if none did. `maxCovered`: see `ModelCard`.
 */
export function mergeRegions(picture: Size, regions: readonly RegionDetections[], maxCovered = 1): Detection[] {
  const candidates = regions.flatMap(({ region, detections }) =>
    detections.map((detection): Candidate => {
      return { ...detection, region, cut: cutSides(detection.box, region, picture) }
    }),
  )
  const explained = explain(candidates)
  const joined = explain([...explained.filter(isWhole), ...joinAll(explained.filter((piece) => !isWhole(piece)))])
  return suppress(joined, maxCovered).map(({ cut: _cut, region: _region, ...detection }) => detection)
}

function isWhole({ cut }: Candidate): boolean {
  return cut.size === 0
}

function cutSides(box: Box, region: Box, picture: Size): ReadonlySet<Side> {
  const marginX = region.width * NEARNESS
  const marginY = region.height * NEARNESS
  const right = region.x + region.width
  const bottom = region.y + region.height
  const sides = new Set<Side>()
  // The picture's own border cuts objects for every region alike.
  if (region.x > 0 && box.x - region.x <= marginX) sides.add('left')
  if (region.y > 0 && box.y - region.y <= marginY) sides.add('top')
  if (right < picture.width && right - (box.x + box.width) <= marginX) sides.add('right')
  if (bottom < picture.height && bottom - (box.y + box.height) <= marginY) sides.add('bottom')
  return sides
}

function isSameGroup(a: Detection, b: Detection): boolean {
  return suppressionGroup(a.className) === suppressionGroup(b.className)
}

function covers(object: Detection, piece: Candidate): boolean {
  const share = intersectionArea(object.box, piece.box) / areaOf(piece.box)
  return isSameGroup(object, piece) && share >= COVERAGE && canBeOf(object, piece)
}

/** A faint box of half the picture explains nothing of what is small. */
function canBeOf({ box: object }: Detection, { box, cut }: Candidate): boolean {
  const limit = (isCut: boolean) => (isCut ? MAX_LONGER.cut : MAX_LONGER.whole)
  return (
    object.width <= limit(cut.has('left') || cut.has('right')) * box.width &&
    object.height <= limit(cut.has('top') || cut.has('bottom')) * box.height
  )
}

/**
 * Leaves out the pieces of objects that were seen whole. Seen at a larger scale, a piece may have been more certain
 * than the whole object, which then takes over its confidence and the class that this is the confidence of.
 */
function explain(candidates: readonly Candidate[]): Candidate[] {
  const whole = candidates.filter(isWhole)
  const pieces = candidates.filter((candidate) => !isWhole(candidate))
  const surer = whole.map((object) => {
    const surest = pieces
      .filter((piece) => covers(object, piece))
      .reduce((one, other) => (other.confidence > one.confidence ? other : one), object)
    return { ...surest, box: object.box, region: object.region, cut: object.cut }
  })
  return [...surer, ...pieces.filter((piece) => !whole.some((object) => covers(object, piece)))]
}

/** Joins pieces until no two fit any more: an object in the corner of four tiles has four. */
function joinAll(pieces: readonly Candidate[]): Candidate[] {
  const joined: Candidate[] = []
  for (const piece of pieces) {
    let current = piece
    for (;;) {
      const index = joined.findIndex((other) => isSameObject(other, current))
      if (index < 0) break
      current = join(joined[index]!, current)
      joined.splice(index, 1)
    }
    joined.push(current)
  }
  return joined
}

function isSameObject(a: Candidate, b: Candidate): boolean {
  if (!isSameGroup(a, b) || intersectionArea(a.box, b.box) === 0) return false
  const isBeside = (a.cut.has('right') && b.cut.has('left')) || (a.cut.has('left') && b.cut.has('right'))
  const isStacked = (a.cut.has('bottom') && b.cut.has('top')) || (a.cut.has('top') && b.cut.has('bottom'))
  return (
    (isBeside && overlapOfSpans(a.box.y, a.box.height, b.box.y, b.box.height) >= AGREEMENT) ||
    (isStacked && overlapOfSpans(a.box.x, a.box.width, b.box.x, b.box.width) >= AGREEMENT)
  )
}

function overlapOfSpans(a: number, aLength: number, b: number, bLength: number): number {
  const shared = Math.min(a + aLength, b + bLength) - Math.max(a, b)
  return shared <= 0 ? 0 : shared / (aLength + bLength - shared)
}

function join(a: Candidate, b: Candidate): Candidate {
  const surer = a.confidence >= b.confidence ? a : b
  const x = Math.min(a.box.x, b.box.x)
  const y = Math.min(a.box.y, b.box.y)
  const right = Math.max(a.box.x + a.box.width, b.box.x + b.box.width)
  const bottom = Math.max(a.box.y + a.box.height, b.box.y + b.box.height)
  return { ...surer, box: { x, y, width: right - x, height: bottom - y }, cut: openSides(a, b) }
}

/** A side that is cut in one piece and goes on in the other is cut no more. */
function openSides(a: Candidate, b: Candidate): ReadonlySet<Side> {
  const opposite: Readonly<Record<Side, Side>> = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' }
  const isOpen = (side: Side, other: Candidate): boolean => !other.cut.has(opposite[side])
  return new Set([...[...a.cut].filter((side) => isOpen(side, b)), ...[...b.cut].filter((side) => isOpen(side, a))])
}

function suppress(candidates: readonly Candidate[], maxCovered: number): Candidate[] {
  const kept: Candidate[] = []
  for (const candidate of [...candidates].sort((a, b) => b.confidence - a.confidence)) {
    const isSame = (other: Candidate): boolean => {
      const limit = other.region === candidate.region ? maxOverlap.inOneRegion : maxOverlap.acrossRegions
      if (!isSameGroup(other, candidate)) return false
      const smaller = Math.min(areaOf(other.box), areaOf(candidate.box))
      return (
        intersectionOverUnion(other.box, candidate.box) > limit ||
        intersectionArea(other.box, candidate.box) > maxCovered * smaller
      )
    }
    const index = kept.findIndex(isSame)
    if (index < 0) kept.push(candidate)
    else if (maxCovered < 1) kept[index] = finest(kept[index]!, candidate)
  }
  return kept
}

/** Things of a few pixels are boxed too large, so of two boxes of one thing that of the closer look is better, if it is whole. */
function finest(surer: Candidate, other: Candidate): Candidate {
  const isCloser = areaOf(other.region) < areaOf(surer.region) && isWhole(other)
  return isCloser ? { ...surer, box: other.box, region: other.region, cut: other.cut } : surer
}

function areaOf({ width, height }: Box): number {
  return width * height
}
