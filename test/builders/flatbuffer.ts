/** What a field of a table holds; undefined is left out. */
export type FlatField =
  | undefined
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'numbers'; readonly element: 'int32' | 'float32' | 'int64'; readonly value: readonly number[] }
  | { readonly kind: 'table'; readonly value: FlatFields }
  | { readonly kind: 'tables'; readonly value: readonly FlatFields[] }

/** By number. */
export type FlatFields = readonly FlatField[]

/** Writes what `flatbuffer-reader.ts` reads: each table behind its vtable, and what it refers to behind the table. */
export function writeFlatbuffer(identifier: string, root: FlatFields): Buffer {
  const body = tableBytes(root)
  const head = Buffer.alloc(8)
  head.writeUInt32LE(8 + body.tableAt, 0)
  head.write(identifier, 4, 'latin1')
  return Buffer.concat([head, body.bytes])
}

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

/** `tableAt`: where the table begins, behind its vtable. */
function tableBytes(fields: FlatFields): { bytes: Buffer; tableAt: number } {
  const vtable = padded(Buffer.alloc(4 + 2 * fields.length))
  const table = Buffer.alloc(4 + 4 * fields.length)
  vtable.writeUInt16LE(4 + 2 * fields.length, 0)
  vtable.writeUInt16LE(table.length, 2)
  table.writeInt32LE(vtable.length, 0)
  const parts: Buffer[] = []
  let end = table.length
  for (const [number, field] of fields.entries()) {
    if (!field) continue
    const at = 4 + 4 * number
    vtable.writeUInt16LE(at, 4 + 2 * number)
    if (field.kind === 'number') {
      table.writeInt32LE(field.value, at)
      continue
    }
    const { bytes, start } = valueBytes(field)
    table.writeUInt32LE(end + start - at, at)
    parts.push(bytes)
    end += bytes.length
  }
  return { bytes: Buffer.concat([vtable, table, ...parts]), tableAt: vtable.length }
}

/** `start`: what an offset to it leads to. */
function valueBytes(field: Exclude<FlatField, undefined | { kind: 'number' }>): { bytes: Buffer; start: number } {
  switch (field.kind) {
    case 'bytes':
      return { bytes: padded(Buffer.concat([lengthBytes(field.value.length), field.value])), start: 0 }
    case 'numbers':
      return {
        bytes: Buffer.concat([lengthBytes(field.value.length), numberBytes(field.element, field.value)]),
        start: 0,
      }
    case 'table': {
      const { bytes, tableAt } = tableBytes(field.value)
      return { bytes, start: tableAt }
    }
    case 'tables': {
      const tables = field.value.map(tableBytes)
      const offsets = Buffer.alloc(4 * tables.length)
      let end = offsets.length
      for (const [index, { bytes, tableAt }] of tables.entries()) {
        offsets.writeUInt32LE(end + tableAt - 4 * index, 4 * index)
        end += bytes.length
      }
      return {
        bytes: Buffer.concat([lengthBytes(tables.length), offsets, ...tables.map(({ bytes }) => bytes)]),
        start: 0,
      }
    }
  }
}

function numberBytes(element: 'int32' | 'float32' | 'int64', values: readonly number[]): Buffer {
  if (element === 'int64') return Buffer.from(BigInt64Array.from(values, BigInt).buffer)
  return Buffer.from((element === 'int32' ? Int32Array.from(values) : Float32Array.from(values)).buffer)
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(length)
  return bytes
}
