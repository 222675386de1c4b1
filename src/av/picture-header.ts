import { type Size } from '../core/detection.ts'

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'bmp'

/** What kind of picture these are the first bytes of, 12 of them or more; two letters are all that a BMP begins with. */
export function pictureFormatIn(bytes: Buffer): PictureFormat | undefined {
  const has = (text: string, at = 0): boolean => bytes.toString('latin1', at, at + text.length) === text
  if (has('\xff\xd8\xff')) return 'jpeg'
  if (has('\x89PNG\r\n\x1a\n')) return 'png'
  if (has('RIFF') && has('WEBP', 8)) return 'webp'
  return has('BM') ? 'bmp' : undefined
}

/** How large a JPEG, PNG, WebP or BMP says that it is, by its first bytes; undefined where they don't say. */
export function pictureSizeIn(bytes: Buffer): Size | undefined {
  const format = pictureFormatIn(bytes)
  if (format === 'jpeg') return jpegSize(bytes)
  if (format === undefined || bytes.length < 30) return undefined
  if (format === 'png') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (format === 'bmp') return { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) }
  return webpSize(bytes)
}

/** The first frame header (ITU-T T.81 §B.2.2): markers C0 to CF but for tables (C4, CC) and C8, which is kept free. */
function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff) return undefined
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    // Any number of FF may stand before a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** RFC 9649 §2.5 to §2.7: lossy, lossless, or extended. */
function webpSize(bytes: Buffer): Size | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L':
      return { width: (bytes.readUInt32LE(21) & 0x3fff) + 1, height: ((bytes.readUInt32LE(21) >>> 14) & 0x3fff) + 1 }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  }
  return undefined
}
