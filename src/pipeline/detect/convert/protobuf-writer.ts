/**
 * Writes the protobuf wire format: what ONNX files are made of. A message is the concatenation of its fields, so
 * parts are collected and joined once, at the end; large tensors are not copied on the way.
 */
export interface ProtobufWriter {
  /** An integer of any width; a negative one takes ten bytes, as int64 does. */
  integer(field: number, value: number): ProtobufWriter
  float(field: number, value: number): ProtobufWriter
  string(field: number, value: string): ProtobufWriter
  bytes(field: number, value: Uint8Array): ProtobufWriter
  message(field: number, value: ProtobufWriter): ProtobufWriter
  /** Many integers in one field (`[packed = true]`). */
  packedIntegers(field: number, values: readonly number[]): ProtobufWriter
  readonly length: number
  finish(): Uint8Array
  /** Adds this message's parts to `into`, in order. */
  appendTo(into: Uint8Array[]): void
}

const wireType = { varint: 0, lengthDelimited: 2, fixed32: 5 } as const

export function createProtobufWriter(): ProtobufWriter {
  const parts: Uint8Array[] = []
  let length = 0

  const push = (part: Uint8Array): void => {
    parts.push(part)
    length += part.length
  }
  const tag = (field: number, type: keyof typeof wireType): void => push(varint(field * 8 + wireType[type]))

  const writer: ProtobufWriter = {
    integer(field, value) {
      tag(field, 'varint')
      push(varint(value))
      return writer
    },
    float(field, value) {
      tag(field, 'fixed32')
      const part = Buffer.alloc(4)
      part.writeFloatLE(value)
      push(part)
      return writer
    },
    string: (field, value) => writer.bytes(field, Buffer.from(value, 'utf8')),
    bytes(field, value) {
      tag(field, 'lengthDelimited')
      push(varint(value.length))
      push(value)
      return writer
    },
    message(field, value) {
      tag(field, 'lengthDelimited')
      push(varint(value.length))
      value.appendTo(parts)
      length += value.length
      return writer
    },
    packedIntegers: (field, values) => writer.bytes(field, Buffer.concat(values.map(varint))),
    get length() {
      return length
    },
    finish: () => Buffer.concat(parts, length),
    appendTo: (into) => into.push(...parts),
  }
  return writer
}

/** Seven bits a byte, the lowest first; negative numbers as 64-bit two's complement. */
function varint(value: number): Uint8Array {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer that can be written exactly.`)
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest === 0n ? low : low | 0x80)
  } while (rest !== 0n)
  return Uint8Array.from(bytes)
}
