/** Elementary streams in packets (ISO/IEC 13818-1 §2.4.3.6). */

export const VIDEO_STREAM = 0xe0
export const AUDIO_STREAM = 0xc0

const START_BYTES = 6
const HAS_PTS = 0x80
const HAS_DTS = 0x40
const TIME_BYTES = 5
const MAX_LENGTH = 0xffff
const WRAP = 2 ** 33

/** Times in ticks of 90 kHz. */
export interface PesTimes {
  readonly shownAt: number
  readonly decodedAt: number
}

export function pesPacket(streamId: number, { shownAt, decodedAt }: PesTimes, payload: readonly Buffer[]): Buffer {
  const times = shownAt === decodedAt ? [shownAt] : [shownAt, decodedAt]
  const head = Buffer.alloc(START_BYTES + 3 + times.length * TIME_BYTES)
  const bytes = payload.reduce((sum, { length }) => sum + length, 0) + head.length - START_BYTES
  head.writeUInt32BE(0x100 | streamId, 0)
  // Of video the length may be left open.
  head.writeUInt16BE(bytes > MAX_LENGTH ? 0 : bytes, 4)
  head[6] = 0x84
  head[7] = HAS_PTS | (times.length > 1 ? HAS_DTS : 0)
  head[8] = times.length * TIME_BYTES
  times.forEach((time, at) => writeTime(head, START_BYTES + 3 + at * TIME_BYTES, time, prefixOf(at, times.length)))
  return Buffer.concat([head, ...payload])
}

function prefixOf(at: number, count: number): number {
  if (count === 1) return 0x20
  return at === 0 ? 0x30 : 0x10
}

/** 33 bits, in three parts with a bit of 1 behind each. */
function writeTime(head: Buffer, at: number, ticks: number, prefix: number): void {
  const time = ((ticks % WRAP) + WRAP) % WRAP
  head[at] = prefix | (Math.floor(time / 2 ** 30) << 1) | 1
  head.writeUInt16BE(((Math.floor(time / 2 ** 15) & 0x7fff) << 1) | 1, at + 1)
  head.writeUInt16BE(((time & 0x7fff) << 1) | 1, at + 3)
}
