import { AMF0, type AmfObject, type AmfValue } from './amf0.ts'

/** Real commands and metadata have a few dozen values, two levels deep. */
const MAX_DEPTH = 16
const MAX_VALUES = 4096

/**
 * Reads the values one after the other. Stops at the first that can't be read (cut short, of AMF3, past a
 * limit) and answers what came before it: clients add odd things behind what matters.
 */
export function readAmf0(data: Buffer): AmfValue[] {
  const values: AmfValue[] = []
  let at = 0
  let count = 0
  try {
    while (at < data.length) values.push(readValue(0))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return values

  function readValue(depth: number): AmfValue {
    if (depth > MAX_DEPTH || ++count > MAX_VALUES)
      throw new RangeError('The AMF0 value is too deep or has too many parts.')
    const marker = data.readUInt8(at++)
    switch (marker) {
      case AMF0.number:
        return readNumber()
      case AMF0.boolean:
        return data.readUInt8(at++) !== 0
      case AMF0.string:
        return readString(2)
      case AMF0.longString:
      case AMF0.xmlDocument:
        return readString(4)
      case AMF0.object:
        return readObject(depth)
      case AMF0.typedObject:
        readString(2)
        return readObject(depth)
      case AMF0.ecmaArray:
        // The announced length is often wrong; the end marker is what counts (§2.10).
        at += 4
        return readObject(depth)
      case AMF0.strictArray:
        return readArray(depth)
      case AMF0.date: {
        const ms = readNumber()
        at += 2
        return new Date(ms)
      }
      case AMF0.null:
        return null
      case AMF0.reference:
        at += 2
        return undefined
      case AMF0.undefined:
      case AMF0.unsupported:
        return undefined
      default:
        throw new RangeError(`AMF0 has no type ${marker}.`)
    }
  }

  function readNumber(): number {
    at += 8
    return data.readDoubleBE(at - 8)
  }

  function readString(lengthBytes: 2 | 4): string {
    const start = at + lengthBytes
    const end = start + data.readUIntBE(at, lengthBytes)
    if (end > data.length) throw new RangeError('The AMF0 string is cut short.')
    at = end
    return data.toString('utf8', start, end)
  }

  function readObject(depth: number): AmfObject {
    const object = Object.create(null) as Record<string, AmfValue>
    // Some encoders forget the end marker of the last object in a message.
    while (at < data.length) {
      const name = readString(2)
      if (name === '' && data[at] === AMF0.objectEnd) {
        at += 1
        break
      }
      object[name] = readValue(depth + 1)
    }
    return object
  }

  function readArray(depth: number): AmfValue[] {
    const length = data.readUInt32BE(at)
    at += 4
    const array: AmfValue[] = []
    while (array.length < length) array.push(readValue(depth + 1))
    return array
  }
}
