/** FLV tags as encoders send them, made of small pictures that look real as far as anybody here looks. */

export const H264 = {
  sps: Buffer.from('674d4028eca03c0113f2e022000003000200000300781e30632c', 'hex'),
  pps: Buffer.from('68ebe3cb20', 'hex'),
  otherSps: Buffer.from('6742c01ed900a02ff970110000030001000003003c0f162e48', 'hex'),
  delimiter: Buffer.from('09f0', 'hex'),
  sei: Buffer.from('0605010080', 'hex'),
} as const

export const H265 = {
  vps: Buffer.from('40010c01ffff01600000030090000003000003005d959809', 'hex'),
  sps: Buffer.from('42010101600000030090000003000003005da00280802d165959a4932bc05a020000030002000003003c10', 'hex'),
  pps: Buffer.from('4401c172b46240', 'hex'),
} as const

export const AAC_CONFIG = Buffer.from('1190', 'hex')

/** An IDR slice, distinguished by its last byte. */
export const idr = (id: number, bytes = 40): Buffer => slice(Buffer.of(0x65, 0x88), id, bytes)
/** A P slice. */
export const predicted = (id: number, bytes = 20): Buffer => slice(Buffer.of(0x41, 0x9a), id, bytes)
export const idr265 = (id: number, bytes = 40): Buffer => slice(Buffer.of(0x26, 0x01, 0xaf), id, bytes)
export const predicted265 = (id: number, bytes = 20): Buffer => slice(Buffer.of(0x02, 0x01, 0xd0), id, bytes)

function slice(head: Buffer, id: number, bytes: number): Buffer {
  return Buffer.concat([head, Buffer.alloc(bytes, 0x55), Buffer.of(id)])
}

export function avcC(sps: Buffer = H264.sps, pps: Buffer = H264.pps, lengthSize = 4): Buffer {
  return Buffer.concat([
    Buffer.of(1, sps[1]!, sps[2]!, sps[3]!, 0xfc | (lengthSize - 1), 0xe1, sps.length >> 8, sps.length & 0xff),
    sps,
    Buffer.of(1, pps.length >> 8, pps.length & 0xff),
    pps,
  ])
}

export function hvcC(lengthSize = 4): Buffer {
  const head = Buffer.alloc(23)
  head[0] = 1
  head[21] = 0x0c | (lengthSize - 1)
  head[22] = 3
  const arrays = [H265.vps, H265.sps, H265.pps].flatMap((set) => [
    Buffer.of(0x80 | ((set[0]! >> 1) & 0x3f), 0, 1, set.length >> 8, set.length & 0xff),
    set,
  ])
  return Buffer.concat([head, ...arrays])
}

export function withLengths(nalUnits: readonly Buffer[], lengthSize = 4): Buffer {
  return Buffer.concat(
    nalUnits.flatMap((unit) => {
      const length = Buffer.alloc(lengthSize)
      length.writeUIntBE(unit.length, 0, lengthSize)
      return [length, unit]
    }),
  )
}

export function withStartCodes(nalUnits: readonly Buffer[]): Buffer {
  return Buffer.concat(nalUnits.flatMap((unit) => [Buffer.of(0, 0, 0, 1), unit]))
}

export const avcConfigurationTag = (record = avcC()): Buffer => Buffer.concat([Buffer.of(0x17, 0, 0, 0, 0), record])

export function avcFrameTag(data: Buffer, { isKeyframe = false, compositionMs = 0 } = {}): Buffer {
  const head = Buffer.of(isKeyframe ? 0x17 : 0x27, 1, 0, 0, 0)
  head.writeIntBE(compositionMs, 2, 3)
  return Buffer.concat([head, data])
}

/** Enhanced RTMP; packet types: 0 configuration, 1 frames with an offset, 3 frames without. */
export function enhancedTag(fourCc: string, packetType: number, data: Buffer, isKeyframe = false): Buffer {
  return Buffer.concat([Buffer.of(0x80 | (isKeyframe ? 0x10 : 0x20) | packetType), Buffer.from(fourCc), data])
}

export const aacConfigurationTag = (config = AAC_CONFIG): Buffer => Buffer.concat([Buffer.of(0xaf, 0), config])
export const aacFrameTag = (data: Buffer): Buffer => Buffer.concat([Buffer.of(0xaf, 1), data])

/** A tag as it stands in an aggregate message: with its head, and the back pointer behind it. */
export function flvTag(typeId: number, data: Buffer, timestamp = 0): Buffer {
  const head = Buffer.alloc(11)
  head[0] = typeId
  head.writeUIntBE(data.length, 1, 3)
  head.writeUIntBE(timestamp & 0xffffff, 4, 3)
  head[7] = timestamp >>> 24
  return Buffer.concat([head, data, Buffer.alloc(4)])
}
