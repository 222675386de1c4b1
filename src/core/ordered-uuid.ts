import { randomBytes } from 'node:crypto'

let lastMs = 0
let counter = 0

/**
 * A UUID (version 7, RFC 9562 §5.7) that sorts after every one made before it by this process, so that the
 * order of ids is the order of making: lists page by it and queues keep their order by it.
 */
export function orderedUuid(nowMs = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = 0
  } else if (++counter > 0xfff) {
    // More than 4096 in a millisecond, or a clock set back: borrow from the next one.
    lastMs += 1
    counter = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const random = randomBytes(8)
  random[0] = (random[0]! & 0x3f) | 0x80
  const tail = random.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

/** When it was made. */
export function uuidTimeMs(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** At most every id that is made at this time or later. */
export function firstUuidAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}
