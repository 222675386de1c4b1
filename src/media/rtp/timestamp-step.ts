/** Ticks from one RTP timestamp to another: they wrap at 2^32, so the shorter way round is meant, negative when it leads back. */
export const timestampStep = (from: number, to: number): number => (to - from) | 0
