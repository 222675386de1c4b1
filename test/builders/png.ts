import { writeFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import { type RgbPicture } from '../../src/enhance/picture/rgb-picture.ts'

export function writePng(file: string, picture: RgbPicture): void {
  writeFileSync(file, encodePng(picture))
}

/** A picture as a PNG file (PNG 1.2: 8 bits, RGB, no filter). */
export function encodePng({ width, height, rgb }: RgbPicture): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const lines = Buffer.alloc(height * (3 * width + 1))
  for (let y = 0; y < height; y++) lines.set(rgb.subarray(3 * y * width, 3 * (y + 1) * width), y * (3 * width + 1) + 1)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(lines)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
