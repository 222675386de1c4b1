/** A piece of a segment that can be fetched before the segment is complete. */
export interface ListedPart {
  readonly seconds: number
  /** Begins with a keyframe. */
  readonly isIndependent: boolean
}

export interface ListedSegment {
  readonly sequence: number
  /** Milliseconds since 1970 of its first picture. */
  readonly startedAtMs: number
  /** The sum of its parts so far. */
  readonly seconds: number
  readonly isComplete: boolean
  readonly parts: readonly ListedPart[]
}

/** What can be fetched now. Only the last segment may be incomplete. */
export interface Listing {
  /** Distinguishes one run of the worker from the next. */
  readonly run: number
  /** Another one means that the format changed; time goes on across runs of the worker, because it is the wall clock's. */
  readonly discontinuity: number
  readonly segments: readonly ListedSegment[]
  /** The longest so far; neither ever shrinks, because players rely on them. */
  readonly maxSegmentSeconds: number
  readonly maxPartSeconds: number
}

/** Complete segments whose parts are listed too; players near the live edge want no older ones. */
const SEGMENTS_WITH_PARTS = 2
/** Three parts would do for the wire; browsers on busy machines need a little more to play smoothly. */
const MIN_PART_HOLD_BACK_SECONDS = 1

/**
 * The media playlist (RFC 8216 and its second edition, draft-pantos-hls-rfc8216bis). `query` is added to every address in it.
 */
export function renderMediaPlaylist({ run, discontinuity, segments, ...max }: Listing, query: string): string {
  const targetSeconds = targetSecondsOf(max)
  const partSeconds = max.maxPartSeconds
  const suffix = query === '' ? '' : `?${query}`
  const firstWithParts = segments.filter(({ isComplete }) => isComplete).length - SEGMENTS_WITH_PARTS
  const isIndependent = segments.every(({ parts }) => parts.length === 0 || parts[0]!.isIndependent)
  const partHoldBack = Math.max(3 * partSeconds, MIN_PART_HOLD_BACK_SECONDS)

  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:9',
    `#EXT-X-TARGETDURATION:${targetSeconds}`,
    `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${decimal(partHoldBack)},HOLD-BACK=${3 * targetSeconds}`,
    `#EXT-X-PART-INF:PART-TARGET=${decimal(partSeconds)}`,
    `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.sequence ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuity}`,
    ...(isIndependent ? ['#EXT-X-INDEPENDENT-SEGMENTS'] : []),
    `#EXT-X-MAP:URI="init-${run}.mp4${suffix}"`,
  ]
  for (const [index, { sequence, startedAtMs, seconds, isComplete, parts }] of segments.entries()) {
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(startedAtMs).toISOString()}`)
    if (index >= firstWithParts) {
      for (const [number, part] of parts.entries()) {
        const independent = part.isIndependent ? ',INDEPENDENT=YES' : ''
        const uri = `${sequence}.${number}.m4s${suffix}`
        lines.push(`#EXT-X-PART:DURATION=${decimal(part.seconds)},URI="${uri}"${independent}`)
      }
    }
    if (isComplete) lines.push(`#EXTINF:${decimal(seconds)},`, `${sequence}.m4s${suffix}`)
  }
  const next = nextPart(segments)
  lines.push(`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${next.sequence}.${next.part}.m4s${suffix}"`)
  return lines.join('\n') + '\n'
}

export interface Variant {
  /** RFC 6381, video first. */
  readonly codecs: readonly string[]
  readonly width: number
  readonly height: number
  /** Undefined when the stream does not say. */
  readonly fps: number | undefined
  readonly bitsPerSecond: number
}

/** The playlist that a player is given first: it says what the stream is, so that a browser knows whether it can play it. */
export function renderMasterPlaylist({ codecs, width, height, fps, bitsPerSecond }: Variant, query: string): string {
  const attributes = [
    `BANDWIDTH=${Math.max(1, Math.round(bitsPerSecond))}`,
    `CODECS="${codecs.join(',')}"`,
    ...(width > 0 && height > 0 ? [`RESOLUTION=${width}x${height}`] : []),
    ...(fps === undefined ? [] : [`FRAME-RATE=${fps.toFixed(3)}`]),
  ]
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:9',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-STREAM-INF:${attributes.join(',')}`,
    `stream.m3u8${query === '' ? '' : `?${query}`}`,
    '',
  ].join('\n')
}

export function targetSecondsOf({ maxSegmentSeconds }: Pick<Listing, 'maxSegmentSeconds'>): number {
  return Math.max(1, Math.round(maxSegmentSeconds))
}

function nextPart(segments: readonly ListedSegment[]): { sequence: number; part: number } {
  const last = segments.at(-1)
  if (!last) return { sequence: 0, part: 0 }
  return last.isComplete
    ? { sequence: last.sequence + 1, part: 0 }
    : { sequence: last.sequence, part: last.parts.length }
}

function decimal(seconds: number): string {
  return seconds.toFixed(5)
}
