import { type Size } from '../../core/detection.ts'

/** Bits a second that an output may take: 1.1 million at 360p, 3.3 at 720p, 7.0 at 1080p. Quiet pictures take far less. */
export function maxBitsPerSecond({ width, height }: Size): number {
  return Math.round(400_000 + 3.2 * width * height)
}

/**
 * x264 without delay counts frames, not time: it takes every frame to last as long as it was told at its start, so the cap
 * would be off by as much as the real rate is. This measures the rate and tells the cap that makes up for it.
 */
export interface RateCap {
  /** Frames a second, as x264 was told. */
  readonly toldFps: number
  /** Notes the time from the last frame to this one. Answers a new cap in bits a second when the old one is off. */
  note(intervalMs: number): number | undefined
}

/** How much of the measured interval a new one makes up. */
const weight = 0.1
/** Long gaps are losses, no frame rate. */
const MAX_INTERVAL_MS = 1_000
const tolerance = 0.15

export function createRateCap(size: Size, toldFps: number): RateCap {
  const cap = maxBitsPerSecond(size)
  let averageMs = 1000 / toldFps
  let appliedMs = averageMs

  return {
    toldFps,
    note(intervalMs) {
      averageMs += weight * (Math.min(MAX_INTERVAL_MS, intervalMs) - averageMs)
      if (Math.abs(averageMs / appliedMs - 1) < tolerance) return undefined
      appliedMs = averageMs
      return Math.round((cap * averageMs * toldFps) / 1000)
    },
  }
}
