/** RTCP feedback (RFC 3550 §6, RFC 4585 §6) as a gateway reads and writes it. */

export interface Feedback {
  /** Sequence numbers that were lost on the way. */
  readonly lost: readonly number[]
  readonly wantsKeyframe: boolean
  readonly saysGoodbye: boolean
}

const RECEIVER_REPORT = 201
const BYE = 203
const TRANSPORT_FEEDBACK = 205
const PAYLOAD_FEEDBACK = 206
const GENERIC_NACK = 1
const PICTURE_LOSS = 1
const FULL_INTRA_REQUEST = 4
const APPLICATION = 15
/** More than a viewer could use at once is a mistake or malice. */
const MAX_LOST = 512

export function isRtcp(packet: Buffer): boolean {
  return packet.length >= 8 && packet[0]! >> 6 === 2 && packet[1]! >= 192 && packet[1]! <= 223
}

export function parseFeedback(compound: Buffer): Feedback {
  const lost: number[] = []
  let wantsKeyframe = false
  let saysGoodbye = false
  for (let at = 0; at + 4 <= compound.length;) {
    const end = at + 4 + 4 * compound.readUInt16BE(at + 2)
    if (compound[at]! >> 6 !== 2 || end > compound.length) break
    const format = compound[at]! & 0x1f
    const type = compound[at + 1]
    if (type === BYE) saysGoodbye = true
    if (type === PAYLOAD_FEEDBACK && (format === PICTURE_LOSS || format === FULL_INTRA_REQUEST)) wantsKeyframe = true
    if (type === TRANSPORT_FEEDBACK && format === GENERIC_NACK) readNack(compound.subarray(at + 12, end), lost)
    at = end
  }
  return { lost, wantsKeyframe, saysGoodbye }
}

/** Pairs of a number and a mask of the sixteen behind it (RFC 4585 §6.2.1). */
function readNack(pairs: Buffer, lost: number[]): void {
  for (let at = 0; at + 4 <= pairs.length && lost.length < MAX_LOST; at += 4) {
    const first = pairs.readUInt16BE(at)
    const mask = pairs.readUInt16BE(at + 2)
    lost.push(first)
    for (let bit = 0; bit < 16; bit++) if (mask & (1 << bit)) lost.push((first + bit + 1) & 0xffff)
  }
}

/** Every compound packet begins with a report (RFC 3550 §6.1); ours has nothing to say. */
function emptyReport(ssrc: number): Buffer {
  const report = Buffer.alloc(8)
  report[0] = 0x80
  report[1] = RECEIVER_REPORT
  report.writeUInt16BE(1, 2)
  report.writeUInt32BE(ssrc, 4)
  return report
}

function feedback(type: number, format: number, ssrc: number, of: number, rest: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head[0] = 0x80 | format
  head[1] = type
  head.writeUInt16BE((12 + rest.length) / 4 - 1, 2)
  head.writeUInt32BE(ssrc, 4)
  head.writeUInt32BE(of, 8)
  return Buffer.concat([emptyReport(ssrc), head, rest])
}

/** Asks a sender for a keyframe. */
export function buildPictureLoss(ssrc: number, of: number): Buffer {
  return feedback(PAYLOAD_FEEDBACK, PICTURE_LOSS, ssrc, of, Buffer.alloc(0))
}

/** Asks a sender for packets again. */
export function buildNack(ssrc: number, of: number, lost: readonly number[]): Buffer {
  const pairs = Buffer.alloc(4 * lost.length)
  for (const [index, sequenceNumber] of lost.entries()) pairs.writeUInt16BE(sequenceNumber, 4 * index)
  return feedback(TRANSPORT_FEEDBACK, GENERIC_NACK, ssrc, of, pairs)
}

/** Limits how much a sender may send (draft-alvestrand-rmcat-remb §2.2): mantissa of 18 bits, exponent of 6. */
export function buildBitrateLimit(ssrc: number, of: number, bitsPerSecond: number): Buffer {
  const exponent = Math.max(0, Math.ceil(Math.log2(bitsPerSecond / (2 ** 18 - 1))))
  const mantissa = Math.floor(bitsPerSecond / 2 ** exponent)
  const rest = Buffer.alloc(12)
  rest.write('REMB', 0, 'latin1')
  rest[4] = 1
  rest.writeUIntBE(exponent * 2 ** 18 + mantissa, 5, 3)
  rest.writeUInt32BE(of, 8)
  return feedback(PAYLOAD_FEEDBACK, APPLICATION, ssrc, 0, rest)
}
