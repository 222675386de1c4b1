/** A picture of a file, in the order in which they are decoded. */
export interface Sample {
  /** When it is shown, from the beginning of the file. */
  readonly ms: number
  /** Decoding can begin with it. */
  readonly isKeyframe: boolean
  /** No picture behind it refers to one before it. */
  readonly isClosed: boolean
}

/** What is done with the pictures of a file; places are indexes in decoding order, times those of the file. */
export interface FilePlan {
  /** Decoded from one place to before another; of these the ones that are shown in a range are encoded. */
  readonly head: EncodedRange | null
  readonly copied: CopiedRange | null
  readonly tail: EncodedRange | null
}

export interface EncodedRange {
  readonly decodeFrom: number
  readonly decodeTo: number
  readonly fromMs: number
  readonly toMs: number
}

export interface CopiedRange {
  readonly from: number
  readonly to: number
  /** Those of the first group that are shown before its keyframe refer to the group before, and are not copied. */
  readonly fromMs: number
}

/** Dates are whole milliseconds, and pictures between them. */
export const ROUNDING_MS = 0.5
const NOTHING: FilePlan = { head: null, copied: null, tail: null }

/**
 * How the pictures that are shown from one moment to before another are taken out of a file. As much as can be is copied: the beginning
 * is encoded anew up to the first picture that refers to nothing before it, and the end only where its pictures refer to such as come
 * behind it.
 */
export function planFile(samples: readonly Sample[], wantedFromMs: number, wantedToMs: number): FilePlan {
  const [fromMs, toMs] = [wantedFromMs - ROUNDING_MS, wantedToMs - ROUNDING_MS]
  const isWanted = ({ ms }: Sample) => ms >= fromMs && ms < toMs
  if (!samples.some(isWanted)) return NOTHING
  const head = planHead(samples, fromMs)
  const tail = planTail(samples, toMs, head.copyFrom)
  if (tail.copyTo <= head.copyFrom) {
    // The same group has both ends, or none in between can be copied.
    const decodeTo = endOf(samples, toMs)
    return { ...NOTHING, head: { decodeFrom: head.decodeFrom, decodeTo, fromMs, toMs } }
  }
  const copyFromMs = samples[head.copyFrom]!.ms
  return {
    head: head.isEncoded
      ? { decodeFrom: head.decodeFrom, decodeTo: leadingEnd(samples, head.copyFrom), fromMs, toMs: copyFromMs }
      : null,
    copied: { from: head.copyFrom, to: tail.copyTo, fromMs: copyFromMs },
    tail: tail.isEncoded
      ? { decodeFrom: tail.decodeFrom, decodeTo: endOf(samples, toMs), fromMs: tail.fromMs, toMs }
      : null,
  }
}

interface Head {
  readonly isEncoded: boolean
  readonly decodeFrom: number
  /** Behind the last where nothing can be copied. */
  readonly copyFrom: number
}

function planHead(samples: readonly Sample[], fromMs: number): Head {
  const firstMs = samples.reduce((first, { ms }) => (ms >= fromMs ? Math.min(first, ms) : first), Infinity)
  const atKeyframe = samples.findIndex(({ ms, isKeyframe }) => isKeyframe && ms === firstMs)
  if (atKeyframe >= 0) return { isEncoded: false, decodeFrom: atKeyframe, copyFrom: atKeyframe }
  const decodeFrom = Math.max(
    0,
    samples.findLastIndex(({ ms, isKeyframe }) => isKeyframe && ms <= firstMs),
  )
  // Its parameter sets are other ones than those of what is encoded: they may change only where nothing before is referred to.
  const next = samples.findIndex(({ ms, isClosed }, at) => at > decodeFrom && isClosed && ms > firstMs)
  return { isEncoded: true, decodeFrom, copyFrom: next < 0 ? samples.length : next }
}

interface Tail {
  readonly isEncoded: boolean
  readonly decodeFrom: number
  readonly copyTo: number
  /** What is copied is shown before. */
  readonly fromMs: number
}

function planTail(samples: readonly Sample[], toMs: number, copyFrom: number): Tail {
  const firstLate = samples.findIndex(({ ms }, at) => at >= copyFrom && ms >= toMs)
  if (firstLate < 0) return { isEncoded: false, decodeFrom: 0, copyTo: samples.length, fromMs: toMs }
  const hasWantedBehind = samples.some(({ ms }, at) => at > firstLate && ms < toMs)
  if (!hasWantedBehind) return { isEncoded: false, decodeFrom: 0, copyTo: firstLate, fromMs: toMs }
  // Back to a keyframe, behind which all is encoded.
  const copyTo = Math.max(
    copyFrom,
    samples.findLastIndex(({ isKeyframe }, at) => isKeyframe && at <= firstLate),
  )
  const isOpen = leadingEnd(samples, copyTo) > copyTo + 1
  const before = isOpen ? samples.findLastIndex(({ isKeyframe }, at) => isKeyframe && at < copyTo) : copyTo
  const copiedUntilMs = samples
    .slice(copyFrom, copyTo)
    .reduce((last, { ms }) => Math.max(last, ms), samples[copyFrom]?.ms ?? -Infinity)
  return { isEncoded: true, decodeFrom: Math.max(0, before), copyTo, fromMs: copiedUntilMs + ROUNDING_MS }
}

/** Behind the keyframe at this place, and the pictures that follow it but are shown before it. */
function leadingEnd(samples: readonly Sample[], at: number): number {
  const keyframe = samples[at]
  let end = at + 1
  while (keyframe && end < samples.length && samples[end]!.ms < keyframe.ms) end++
  return Math.min(end, samples.length)
}

/** Behind the last one that is shown before a moment. */
function endOf(samples: readonly Sample[], toMs: number): number {
  return samples.findLastIndex(({ ms }) => ms < toMs) + 1
}
