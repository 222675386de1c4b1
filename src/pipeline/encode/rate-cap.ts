import { type Size } from '../../core/detection.ts'

/** Bits a second that an output may take: 1.1 million at 360p, 3.3 at 720p, 7.0 at 1080p. Quiet pictures take far less. */
export function maxBitsPerSecond({ width, height }: Size): number {
  return Math.round(400_000 + 3.2 * width * height)
}

/**
 * x264 without delay counts frames, not time: it assumes the frame rate that it was opened with, so the cap would be off by as
 * much as the real rate is. This measures the rate and computes the cap that makes up for it.
 */
export interface RateCap {
  /** Notes the time from the last frame to this one. Answers a new cap in bits a second when the old one is off. */
  note(intervalMs: number): number | undefined
}

/** How much of the measured interval a new one makes up. */
const NEW_INTERVAL_WEIGHT = 0.1
/** Long gaps are losses, no frame rate. */
const MAX_INTERVAL_MS = 1_000
const TOLERANCE = 0.15

/** `nominalFps`: that x264 was opened with. */
export function createRateCap(size: Size, nominalFps: number): RateCap {
  const cap = maxBitsPerSecond(size)
  let averageMs = 1000 / nominalFps
  let appliedMs = averageMs

  return {
    note(intervalMs) {
      averageMs += NEW_INTERVAL_WEIGHT * (Math.min(MAX_INTERVAL_MS, intervalMs) - averageMs)
      if (Math.abs(averageMs / appliedMs - 1) < TOLERANCE) return undefined
      appliedMs = averageMs
      return Math.round((cap * averageMs * nominalFps) / 1000)
    },
  }
}
