import { edgeNumber } from '../edge-numbers.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutateText } from '../mutate-text.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'
import { telemetryMessages } from './telemetry-messages.ts'

const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10]
const FINAL = 0x80
const MASKED = 0x80

/** Stands for the process whose sockets are asked for. */
export const PROCESS = '@process@'

/** A client’s handshake, and frames behind it, as RFC 6455 has them or nearly so. */
export function websocketConnection(random: Random): Buffer {
  const path = random.pick(['telemetry', 'telemetry', 'detection_data', 'drone_data'])
  const head = [
    `GET /process/${PROCESS}/${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    ...(random.oneIn(4) ? ['Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits'] : []),
  ]
  const text = `${head.join('\r\n')}\r\n\r\n`
  // Most of what can go wrong lies behind the handshake.
  const handshake = Buffer.from(random.oneIn(10) ? mutateText(text, random) : text, 'latin1')
  const frames = Buffer.concat(mutateOrder(framesOf(random), random))
  return Buffer.concat([handshake, random.oneIn(6) ? mutate(frames, random) : frames]).subarray(0, 256 * 1024)
}

function framesOf(random: Random): Buffer[] {
  const messages = telemetryMessages(random.pick(['native', 'vendor_a']), random)
  const frames = messages.flatMap((message) =>
    random.oneIn(4) ? inFragments(message, random) : [frame(TEXT, message, random)],
  )
  const others = [
    frame(PING, Buffer.from('still there?'), random),
    frame(PONG, random.bytes(random.below(140)), random),
    frame(BINARY, random.bytes(20), random),
    frame(TEXT, Buffer.from([0xff, 0xc0, 0x80]), random),
    frame(random.below(16), random.bytes(random.below(8)), random),
  ]
  return [...frames, random.pick(others), frame(CLOSE, closeReason(random), random)]
}

function inFragments(message: Buffer, random: Random): Buffer[] {
  const at = random.below(message.length + 1)
  const first = frame(TEXT, message.subarray(0, at), random, 0)
  return [first, frame(CONTINUATION, message.subarray(at), random)]
}

function closeReason(random: Random): Buffer {
  const code = random.pick([1000, 1001, 1005, 1006, 1015, 0, 999, 5000])
  return random.oneIn(6)
    ? random.bytes(random.below(4))
    : Buffer.concat([Buffer.of(code >> 8, code & 0xff), Buffer.from('bye')])
}

function frame(opcode: number, payload: Buffer, random: Random, final = FINAL): Buffer {
  const flags = random.oneIn(20) ? random.below(8) << 4 : 0
  const masked = random.oneIn(20) ? 0 : MASKED
  const mask = masked ? random.bytes(4) : Buffer.alloc(0)
  const body = Buffer.from(payload)
  if (masked) for (let at = 0; at < body.length; at++) body[at] = body[at]! ^ mask[at & 3]!
  return Buffer.concat([Buffer.of(final | flags | opcode), lengthOf(payload.length, masked, random), mask, body])
}

/** §5.2: in seven bits, in two bytes more, or in eight; it need not be the shortest, and may be wrong. */
function lengthOf(length: number, masked: number, random: Random): Buffer {
  const said = random.oneIn(20) ? edgeNumber(random, 32) : length
  const form = random.oneIn(20) ? random.below(3) : said < 126 ? 0 : said < 65_536 ? 1 : 2
  if (form === 0) return Buffer.of(masked | (said & 0x7f))
  const bytes = Buffer.alloc(form === 1 ? 3 : 9)
  bytes[0] = masked | (form === 1 ? 126 : 127)
  if (form === 1) bytes.writeUInt16BE(said & 0xffff, 1)
  else bytes.writeBigUInt64BE(random.oneIn(20) ? 2n ** 63n : BigInt(said), 1)
  return bytes
}
