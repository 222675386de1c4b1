import { mutateOrder } from './mutate-order.ts'
import { mutate } from './mutate.ts'
import { type Random } from './random.ts'

/** A field of a message as it stands on the wire; what is behind a length may be a message itself. */
interface Field {
  readonly number: number
  readonly wireType: number
  readonly value: Buffer
}

const [VARINT, FIXED64, LENGTH, FIXED32] = [0, 1, 2, 5]
const MAX_DEPTH = 8

/** A message with fields changed, moved, repeated or nested elsewhere; lengths are right but for those that are meant to be wrong. */
export function mutateProtobuf(message: Buffer, random: Random, depth = 0): Buffer {
  const fields = readFields(message)
  if (!fields || fields.length === 0) return mutate(message, random)
  const victim = random.below(fields.length)
  const changed = fields.map((field, at) => (at === victim ? changeField(field, random, depth) : field))
  const ordered = random.oneIn(3) ? mutateOrder(changed, random) : changed
  return Buffer.concat(ordered.map((field) => writeField(field, random)))
}

function changeField(field: Field, random: Random, depth: number): Field {
  const { wireType, value } = field
  if (random.oneIn(12)) return { ...field, number: random.below(20) }
  if (wireType === VARINT) return { ...field, value: varint(random.pick([0, 1, 2, 7, 127, 128, 2 ** 31, 2 ** 53, -1])) }
  if (wireType !== LENGTH) return { ...field, value: random.bytes(value.length) }
  const isMessage = depth < MAX_DEPTH && readFields(value) !== undefined
  if (isMessage && !random.oneIn(6)) return { ...field, value: mutateProtobuf(value, random, depth + 1) }
  return { ...field, value: mutate(value, random) }
}

/** Undefined when these bytes are no message. */
function readFields(bytes: Buffer): Field[] | undefined {
  const fields: Field[] = []
  let at = 0
  const readVarint = (): number => {
    let [value, shift] = [0, 0]
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined || shift > 63) return NaN
      value += (byte & 0x7f) * 2 ** shift
      shift += 7
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = readVarint()
    const wireType = tag % 8
    const start = at
    if (wireType === VARINT) readVarint()
    else if (wireType === FIXED64) at += 8
    else if (wireType === FIXED32) at += 4
    else if (wireType === LENGTH) {
      const length = readVarint()
      if (!(at + length <= bytes.length)) return undefined
      fields.push({ number: Math.floor(tag / 8), wireType, value: bytes.subarray(at, at + length) })
      at += length
      continue
    } else return undefined
    if (!(tag >= 8) || at > bytes.length) return undefined
    fields.push({ number: Math.floor(tag / 8), wireType, value: bytes.subarray(start, at) })
  }
  return fields
}

function writeField({ number, wireType, value }: Field, random: Random): Buffer {
  const tag = varint(number * 8 + wireType)
  if (wireType !== LENGTH) return Buffer.concat([tag, value])
  const length = random.oneIn(400) ? random.pick([0, value.length + 1, 2 ** 31]) : value.length
  return Buffer.concat([tag, varint(length), value])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  // Negative numbers have ten bytes, as those of 64 bits.
  let left = BigInt.asUintN(64, BigInt(value))
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80)
  bytes.push(Number(left))
  return Buffer.from(bytes)
}
