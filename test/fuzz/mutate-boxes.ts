import { box } from '../builders/mp4-boxes.ts'
import { edgeNumber, writeEdgeNumber } from './edge-numbers.ts'
import { mutateOrder } from './mutate-order.ts'
import { mutate } from './mutate.ts'
import { type Random } from './random.ts'

/** Boxes of ISO/IEC 14496-12 that hold boxes; the others hold fields. */
const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'dinf', 'mvex', 'moof', 'traf', 'udta']
/** Some that programs read wherever they stand. */
const TYPES = [
  ...CONTAINERS,
  'stsz',
  'stts',
  'stsc',
  'stco',
  'elst',
  'hdlr',
  'trun',
  'senc',
  'meta',
  'cmov',
  'free',
  'uuid',
  'iloc',
  'mdat',
]
const MAX_DEPTH = 12
/** Boxes that are repeated within boxes that are repeated would have no end. */
const MAX_BYTES = 256 * 1024

/** An MP4 with boxes changed, moved, nested elsewhere or not of the length that they say; samples stay as they are. */
export function mutateBoxes(content: Buffer, random: Random, depth = 0): Buffer {
  const boxes = splitBoxes(content)
  const victim = random.below(boxes.length + 1)
  const changed = boxes.map(({ type, body }, at) => {
    const isContainer = CONTAINERS.includes(type) && depth < MAX_DEPTH
    if (at === victim) return changedBox(type, body, random)
    return box(type, isContainer ? mutateBoxes(body, random, depth + 1) : body)
  })
  let bytesLeft = MAX_BYTES
  return Buffer.concat(mutateOrder(changed, random).filter(({ length }) => (bytesLeft -= length) >= 0))
}

function splitBoxes(content: Buffer): { type: string; body: Buffer }[] {
  const boxes: { type: string; body: Buffer }[] = []
  for (let at = 0; at + 8 <= content.length;) {
    const size = Math.max(8, content.readUInt32BE(at))
    boxes.push({ type: content.toString('latin1', at + 4, at + 8), body: content.subarray(at + 8, at + size) })
    at += size
  }
  return boxes
}

function changedBox(type: string, body: Buffer, random: Random): Buffer {
  const copy = Buffer.from(body)
  switch (random.below(6)) {
    case 0:
      return box(random.pick(TYPES), body)
    case 1:
      return box(random.pick(CONTAINERS), box(type, body))
    case 2: {
      const whole = box(type, body)
      whole.writeUInt32BE(edgeNumber(random, 32), 0)
      return whole
    }
    case 3:
      return box(type, mutate(body, random))
    case 4:
      return box(type, body.subarray(0, random.below(body.length + 1)))
    default:
      writeEdgeNumber(copy, random.below(body.length) & ~3, 4, random)
      return box(type, copy)
  }
}
