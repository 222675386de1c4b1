/**
 * Reads FlatBuffers, the container of `.tflite` files. A table holds its fields by number; a field that was left
 * out has its schema's default, so every scalar getter takes one. Nothing is copied that need not be.
 */
export interface FlatTable {
  bool(field: number, fallback?: boolean): boolean
  int8(field: number, fallback?: number): number
  uint8(field: number, fallback?: number): number
  int32(field: number, fallback?: number): number
  uint32(field: number, fallback?: number): number
  string(field: number): string
  table(field: number): FlatTable | undefined
  tables(field: number): FlatTable[]
  int32s(field: number): number[]
  float32s(field: number): number[]
  /** 64-bit integers as numbers; one beyond ±2^53 is refused. */
  int64s(field: number): number[]
  /** A view into the file, not a copy. */
  bytes(field: number): Uint8Array
}

/** The root table of `file`, whose four letters after the root offset must be `identifier` (`TFL3`). */
export function readFlatbuffer(file: Uint8Array, identifier: string): FlatTable {
  if (file.length < 8) throw damaged('it is shorter than its header')
  const found = Buffer.from(file.subarray(4, 8)).toString('latin1')
  if (found !== identifier) throw damaged(`it is marked "${found}" where "${identifier}" was expected`)
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  return tableAt(new Bytes(view), view.getUint32(0, true))
}

function damaged(reason: string): Error {
  return new Error(`The file is not a readable flatbuffer: ${reason}. Get the file again.`)
}

/** A DataView whose reads outside the file say so in a sentence. Little-endian, as the format demands. */
class Bytes {
  readonly view: DataView

  constructor(view: DataView) {
    this.view = view
  }

  check(offset: number, length: number): number {
    if (offset < 0 || offset + length > this.view.byteLength) throw damaged(`offset ${offset} lies outside of it`)
    return offset
  }

  uint16(offset: number): number {
    return this.view.getUint16(this.check(offset, 2), true)
  }

  int32(offset: number): number {
    return this.view.getInt32(this.check(offset, 4), true)
  }

  uint32(offset: number): number {
    return this.view.getUint32(this.check(offset, 4), true)
  }

  slice(offset: number, length: number): Uint8Array {
    return new Uint8Array(this.view.buffer, this.view.byteOffset + this.check(offset, length), length)
  }
}

/** A table begins with the signed distance back to its vtable: two sizes, then a 16-bit offset for each field. */
function tableAt(bytes: Bytes, position: number): FlatTable {
  const vtable = position - bytes.int32(position)
  const vtableSize = bytes.uint16(vtable)

  /** Where the field's value stands, or 0 where the field was left out. */
  const at = (field: number): number => {
    const entry = 4 + 2 * field
    const offset = entry + 2 <= vtableSize ? bytes.uint16(vtable + entry) : 0
    return offset === 0 ? 0 : position + offset
  }
  const followed = (offset: number): number => offset + bytes.uint32(offset)

  const vector = <T>(field: number, size: number, read: (offset: number) => T): T[] => {
    const offset = at(field)
    if (offset === 0) return []
    const start = followed(offset)
    const length = bytes.uint32(start)
    bytes.check(start + 4, length * size)
    return Array.from({ length }, (_, index) => read(start + 4 + index * size))
  }
  const { view } = bytes
  const scalar = (field: number, size: number, fallback: number, read: (offset: number) => number): number => {
    const offset = at(field)
    return offset === 0 ? fallback : read(bytes.check(offset, size))
  }

  return {
    bool: (field, fallback = false) => scalar(field, 1, Number(fallback), (offset) => view.getUint8(offset)) !== 0,
    int8: (field, fallback = 0) => scalar(field, 1, fallback, (offset) => view.getInt8(offset)),
    uint8: (field, fallback = 0) => scalar(field, 1, fallback, (offset) => view.getUint8(offset)),
    int32: (field, fallback = 0) => scalar(field, 4, fallback, (offset) => view.getInt32(offset, true)),
    uint32: (field, fallback = 0) => scalar(field, 4, fallback, (offset) => view.getUint32(offset, true)),
    string(field) {
      return Buffer.from(this.bytes(field)).toString('utf8')
    },
    table(field) {
      const offset = at(field)
      return offset === 0 ? undefined : tableAt(bytes, followed(offset))
    },
    tables: (field) => vector(field, 4, (offset) => tableAt(bytes, followed(offset))),
    int32s: (field) => vector(field, 4, (offset) => view.getInt32(offset, true)),
    float32s: (field) => vector(field, 4, (offset) => view.getFloat32(offset, true)),
    int64s: (field) =>
      vector(field, 8, (offset) => {
        const value = Number(view.getBigInt64(offset, true))
        if (!Number.isSafeInteger(value)) throw damaged(`the integer at offset ${offset} is too large`)
        return value
      }),
    bytes(field) {
      const offset = at(field)
      if (offset === 0) return new Uint8Array(0)
      const start = followed(offset)
      return bytes.slice(start + 4, bytes.uint32(start))
    },
  }
}
