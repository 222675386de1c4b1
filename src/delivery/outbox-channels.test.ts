import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { type ChannelQueue } from './channel-queue.ts'
import { type OutboxChannels, createOutboxChannels } from './outbox-channels.ts'

let clock: FakeClock
let closing: AbortController
let channels: OutboxChannels
/** When messages were sent, from the start. */
let sentAtMs: number[]
/** How long the channel has to wait after each attempt; it is delivered where there is none. */
let waits: number[]
let queue: ChannelQueue

beforeEach(() => {
  clock = createFakeClock(0)
  closing = new AbortController()
  ;[sentAtMs, waits] = [[], []]
  channels = createOutboxChannels({
    async deliverNext(one) {
      sentAtMs.push(clock.now())
      const waitMs = waits.shift()
      if (waitMs === undefined) one.count -= 1
      return waitMs
    },
    clock,
    closing: closing.signal,
  })
  queue = channels.queueOf({ channel: 'a', accountId: 'account', processId: null })
  queue.count = 2
})

describe('a channel', () => {
  test('sends one message after the other, and is forgotten when it is empty', async () => {
    channels.wake(queue)
    expect(sentAtMs).toHaveLength(1)
    await clock.advance(0)
    expect(sentAtMs).toHaveLength(2)
    expect(channels.waitingInAll()).toBe(0)
    expect(channels.queues.size).toBe(0)
  })

  test('that is empty stays while its deliveries are not written', async () => {
    queue.unwritten.add('1')
    channels.wake(queue)
    await clock.advance(0)
    expect(channels.queues.get('a')).toBe(queue)
    queue.unwritten.clear()
    channels.wake(queue)
    expect(channels.queues.size).toBe(0)
  })

  test('pauses after a failure, and being woken does not shorten that', async () => {
    waits = [1_000]
    channels.wake(queue)
    await clock.advance(0)
    expect(channels.waitingIn('a')).toMatchObject({ count: 2, nextAttemptAtMs: 1_000 })
    channels.wake(queue)
    await clock.advance(999)
    expect(sentAtMs).toEqual([0])
    await clock.advance(1)
    expect(sentAtMs).toEqual([0, 1_000, 1_000])
    expect(channels.waitingIn('a')).toMatchObject({ count: 0, nextAttemptAtMs: null })
  })

  test('sends nothing before its spacing is over', async () => {
    queue.notBeforeMs = 500.5
    channels.wake(queue)
    await clock.advance(500)
    expect(sentAtMs).toEqual([])
    await clock.advance(1)
    expect(sentAtMs).toEqual([501, 501])
  })

  test('sends nothing while its oldest messages are dropped', () => {
    queue.isDropping = true
    channels.wake(queue)
    expect(sentAtMs).toEqual([])
  })
})

describe('waiting until a channel is clear', () => {
  test('takes until its messages are sent and its pause is over', async () => {
    waits = [1_000]
    channels.wake(queue)
    let isClear = false
    void channels.whenClear('a', new AbortController().signal).then(() => (isClear = true))
    await clock.advance(0)
    await clock.advance(999)
    expect(isClear).toBe(false)
    await clock.advance(1)
    expect(isClear).toBe(true)
  })

  test('ends at once where there is none, and when it is forgotten or the signal aborts', async () => {
    await channels.whenClear('b', new AbortController().signal)
    const stop = new AbortController()
    const [forgotten, stopped] = [stop.signal, stop.signal].map((signal) => channels.whenClear('a', signal))
    stop.abort()
    await stopped
    channels.forget('a')
    await forgotten
  })
})

test('a channel that is forgotten, and all once the service closes, send nothing more', async () => {
  waits = [1_000]
  channels.wake(queue)
  await clock.advance(0)
  channels.forget('a')
  const other = channels.queueOf({ channel: 'b', accountId: 'account', processId: null })
  other.count = 1
  closing.abort()
  channels.wake(other)
  await channels.whenIdle()
  await clock.advance(2_000)
  expect(sentAtMs).toEqual([0])
})
