import { pngChunk } from '../../builders/png.ts'
import { SMALL_JPEG, SMALL_LOSSLESS_WEBP, SMALL_WEBP, smallPng } from '../../builders/small-pictures.ts'
import { edgeNumber, writeEdgeNumber } from '../edge-numbers.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'

const PNG = smallPng()
const PNG_SIGNATURE_BYTES = 8

/** A picture with parts that are changed, moved or not of the length that they say. */
export function pictureFile(random: Random): Buffer {
  switch (random.below(4)) {
    case 0:
      return pngFile(random)
    case 1:
      return webpFile(random)
    default:
      return jpegFile(random)
  }
}

/** Chunks with right checksums, mostly, so that what is changed in them is also read. */
export function pngFile(random: Random): Buffer {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = PNG_SIGNATURE_BYTES; at + 12 <= PNG.length;) {
    const length = PNG.readUInt32BE(at)
    chunks.push({ type: PNG.toString('latin1', at + 4, at + 8), data: PNG.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  const extra = {
    type: random.pick(['PLTE', 'tRNS', 'iCCP', 'eXIf', 'acTL', 'fcTL', 'fdAT', 'gAMA']),
    data: random.bytes(24),
  }
  const parts = random.oneIn(3) ? chunks.toSpliced(1, 0, extra) : chunks
  const file = Buffer.concat([
    PNG.subarray(0, PNG_SIGNATURE_BYTES),
    ...mutateOrder(parts, random).map(({ type, data }) =>
      pngChunk(type, random.oneIn(3) ? changed(data, random) : data),
    ),
  ])
  return random.oneIn(6) ? mutate(file, random) : file
}

/** Segments up to the start of the scan, and the coded picture behind it (ITU-T T.81 §B.1). */
export function jpegFile(random: Random): Buffer {
  const segments: Buffer[] = []
  let at = 2
  for (; SMALL_JPEG[at + 1] !== 0xda; at += 2 + SMALL_JPEG.readUInt16BE(at + 2))
    segments.push(SMALL_JPEG.subarray(at, at + 2 + SMALL_JPEG.readUInt16BE(at + 2)))
  const scan = SMALL_JPEG.subarray(at)
  if (random.oneIn(3)) segments.push(exifSegment(random))
  const parts = mutateOrder([...segments, scan], random).map((part) =>
    random.oneIn(4) ? changedSegment(part, random) : part,
  )
  const file = Buffer.concat([SMALL_JPEG.subarray(0, 2), ...parts])
  return random.oneIn(6) ? mutate(file, random) : file
}

/** How a camera was held: one entry of a directory, of which offsets and counts may be wrong. */
function exifSegment(random: Random): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex')
  if (random.oneIn(2)) writeEdgeNumber(tiff, random.below(tiff.length), random.pick([1, 2, 4]), random)
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff])
  const length = random.oneIn(8) ? edgeNumber(random, 16) : body.length + 2
  return Buffer.concat([Buffer.of(0xff, 0xe1, length >> 8, length & 0xff), body])
}

function changedSegment(segment: Buffer, random: Random): Buffer {
  const copy = Buffer.from(segment)
  // Its kind, its length, or a field.
  if (random.oneIn(4)) copy[1] = random.pick([0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc9, 0xda, 0xdb, 0xdd, 0xd9, 0xe1, 0xfe])
  else if (random.oneIn(3)) writeEdgeNumber(copy, 2, 2, random)
  else return changed(segment, random)
  return copy
}

function webpFile(random: Random): Buffer {
  const file = Buffer.from(random.pick([SMALL_WEBP, SMALL_LOSSLESS_WEBP]))
  if (random.oneIn(2)) return mutate(file, random)
  const at = 4 + random.below(file.length - 4)
  file.writeUInt16LE(edgeNumber(random, 16), Math.min(at, file.length - 2))
  return file
}

function changed(data: Buffer, random: Random): Buffer {
  if (random.oneIn(2)) return mutate(data, random)
  const copy = Buffer.from(data)
  writeEdgeNumber(copy, random.below(data.length), random.pick([1, 2, 4]), random)
  return copy
}
