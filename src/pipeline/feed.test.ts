import '../av/polyfill.ts'
import '../av/input.ts'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { createOutputPicturePool, type OutputPicturePool } from './encode/output-picture.ts'
import { createFeedEncoder, type FeedEncoder, linesOfFeed } from './feed.ts'
import { type FromWorker } from './messages.ts'

let pool: OutputPicturePool
let sent: FromWorker[]
let nowMs: number
let encoding: Deferred<Buffer | undefined>
let feed: FeedEncoder
beforeEach(() => {
  pool = createOutputPicturePool(1)
  sent = []
  nowMs = 0
  encoding = createDeferred()
  const jpeg = { encode: () => encoding.promise, close: async () => {} }
  feed = createFeedEncoder(
    (message) => void sent.push(message),
    jpeg,
    () => nowMs,
  )
})
afterEach(async () => {
  await feed.close()
  pool.close()
})

function show(): void {
  const picture = pool.take({ width: 64, height: 36 })
  feed.show(picture)
  picture.release()
}

/** Whether nobody holds the only picture that the pool has. */
function isReleased(): boolean {
  try {
    pool.take({ width: 64, height: 36 }).release()
    return true
  } catch {
    return false
  }
}

test.each([
  [2160, 720],
  [720, null],
  [360, null],
])('of %i lines it is %s', (height, lines) => expect(linesOfFeed(height)).toBe(lines))

test('it is due while it is wanted, eleven times a second at most', () => {
  const due = [feed.isDue]
  feed.setWanted(true)
  due.push(feed.isDue)
  show()
  nowMs = 89
  due.push(feed.isDue)
  nowMs = 90
  due.push(feed.isDue)
  feed.setWanted(false)
  due.push(feed.isDue)
  expect(due).toEqual([false, true, false, true, false])
})

test('the picture is held until it is encoded, then sent', async () => {
  feed.setWanted(true)
  show()
  expect(isReleased()).toBe(false)
  encoding.resolve(Buffer.from('jpeg'))
  await setImmediate()
  expect([isReleased(), sent]).toEqual([true, [{ type: 'picture', jpeg: Buffer.from('jpeg') }]])
})

test('nothing is sent when nobody looks any more, or the encoder was busy', async () => {
  feed.setWanted(true)
  show()
  feed.setWanted(false)
  encoding.resolve(Buffer.from('jpeg'))
  await setImmediate()
  feed.setWanted(true)
  encoding = createDeferred()
  show()
  encoding.resolve(undefined)
  await setImmediate()
  expect(sent).toEqual([])
})

test('a picture that cannot be encoded is released, and the reason is sent', async () => {
  feed.setWanted(true)
  show()
  encoding.reject(new Error('No memory.'))
  await setImmediate()
  expect([isReleased(), sent]).toEqual([true, [{ type: 'warning', sentence: 'The feed has no picture: No memory.' }]])
})
