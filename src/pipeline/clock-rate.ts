/** Ticks a second of the times of video in RTP (RFC 6184 §8.2.1); encoders and files count in them too. */
export const CLOCK_RATE = 90_000
export const TICKS_PER_MS = CLOCK_RATE / 1000
