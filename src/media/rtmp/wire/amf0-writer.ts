import { AMF0, isAmfObject, type AmfObject, type AmfValue } from './amf0.ts'

export function writeAmf0(...values: readonly AmfValue[]): Buffer {
  const parts: Buffer[] = []
  for (const value of values) writeValue(parts, value)
  return Buffer.concat(parts)
}

function writeValue(parts: Buffer[], value: AmfValue): void {
  if (value === undefined) parts.push(Buffer.of(AMF0.undefined))
  else if (value === null) parts.push(Buffer.of(AMF0.null))
  else if (typeof value === 'boolean') parts.push(Buffer.of(AMF0.boolean, value ? 1 : 0))
  else if (typeof value === 'number') parts.push(Buffer.of(AMF0.number), double(value))
  else if (typeof value === 'string') writeString(parts, value)
  else if (value instanceof Date) parts.push(Buffer.of(AMF0.date), double(value.getTime()), Buffer.alloc(2))
  else if (isAmfObject(value)) writeObject(parts, value)
  else {
    const head = Buffer.of(AMF0.strictArray, 0, 0, 0, 0)
    head.writeUInt32BE(value.length, 1)
    parts.push(head)
    for (const item of value) writeValue(parts, item)
  }
}

function writeObject(parts: Buffer[], object: AmfObject): void {
  parts.push(Buffer.of(AMF0.object))
  for (const [name, value] of Object.entries(object)) {
    parts.push(...text(name, 2))
    writeValue(parts, value)
  }
  parts.push(Buffer.of(0, 0, AMF0.objectEnd))
}

function writeString(parts: Buffer[], value: string): void {
  const isLong = Buffer.byteLength(value) > 0xffff
  parts.push(Buffer.of(isLong ? AMF0.longString : AMF0.string), ...text(value, isLong ? 4 : 2))
}

function text(value: string, lengthBytes: 2 | 4): Buffer[] {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(lengthBytes)
  length.writeUIntBE(bytes.length, 0, lengthBytes)
  return [length, bytes]
}

function double(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeDoubleBE(value)
  return bytes
}
