import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { anOutboundMessage } from '../../test/builders/outbound-message.ts'
import { createLog } from '../observe/log.ts'
import { createChannelDelivery } from './channel-delivery.ts'
import { type ChannelQueue, createChannelQueue, take } from './channel-queue.ts'
import { NotDelivered } from './message.ts'
import { type WaitingMessage } from './waiting-message.ts'

const DAY_MS = 86_400_000
let clock: FakeClock
let closing: AbortController
let queue: ChannelQueue
let onDisk: WaitingMessage[]
/** Everything that was sent and written, in order. */
let steps: string[]
let failure: Error | undefined
let isDiskFull: boolean
let deliverNext: (queue: ChannelQueue) => Promise<number | undefined>

const aMessage = (id: string, change: Partial<WaitingMessage> = {}): WaitingMessage => ({
  ...anOutboundMessage(id),
  position: Number(id),
  attempts: 0,
  sizeBytes: 10,
  expiresAtMs: DAY_MS,
  ...change,
})

async function write(step: string): Promise<void> {
  if (isDiskFull) throw new Error('The disk is full.')
  steps.push(step)
}

beforeEach(() => {
  clock = createFakeClock(0)
  closing = new AbortController()
  queue = createChannelQueue({ channel: 'a', accountId: 'account', processId: null })
  ;[onDisk, steps, failure, isDiskFull] = [[], [], undefined, false]
  ;({ deliverNext } = createChannelDelivery({
    sender: {
      async send({ id }) {
        if (failure) throw failure
        steps.push(`sends ${id}`)
      },
    },
    backlog: {
      load: async (_channel, position) => onDisk.filter((message) => message.position > position),
      bury: async () => onDisk,
    },
    writer: {
      noteSent: (_account, id) => write(`${id} sets out`),
      noteDelivered: (_account, { id, attempts, isKept }) =>
        write(`${id} delivered at attempt ${attempts}${isKept ? ', kept' : ''}`),
      noteFailed: (_account, { id, error }) => write(`${id} failed: ${error}`),
    },
    onSettled: (_channel, state, count) => void steps.push(`${count} ${state}`),
    onWritten: () => void steps.push('written'),
    clock,
    log: createLog({ level: 'silent' }),
    closing: closing.signal,
  }))
})

describe('a message that arrives', () => {
  test('is counted at once, and written behind the next ones', async () => {
    take(queue, aMessage('1'))
    expect(await deliverNext(queue)).toBeUndefined()
    expect(queue.count).toBe(0)
    await clock.advance(0)
    expect(steps).toEqual(['sends 1', '1 delivered', '1 delivered at attempt 1, kept', 'written'])
  })

  test('is written until that works, and may not be dropped meanwhile', async () => {
    take(queue, aMessage('1'))
    isDiskFull = true
    await deliverNext(queue)
    await clock.advance(1_000)
    expect([...queue.unwritten]).toEqual(['1'])
    isDiskFull = false
    await clock.advance(1_000)
    expect(queue.unwritten.size).toBe(0)
    expect(steps.slice(-2)).toEqual(['1 delivered at attempt 1, kept', 'written'])
  })

  test('is noted before it sets out where messages are spaced, and holds up the next one', async () => {
    take(queue, aMessage('1', { spacingMs: 60_000 }))
    await deliverNext(queue)
    expect(steps.slice(0, 2)).toEqual(['1 sets out', 'sends 1'])
    expect(queue.notBeforeMs).toBe(60_000)
  })

  test('is of nobody when its channel was forgotten meanwhile', async () => {
    take(queue, aMessage('1'))
    const delivered = deliverNext(queue)
    queue.isGone = true
    await delivered
    expect(steps.filter((step) => step !== 'sends 1')).toEqual([])
  })
})

describe('a message that fails', () => {
  test('is written with its sentence, and stays the next one', async () => {
    failure = new NotDelivered('The receiver answered 500.', { retryAfterMs: 30_000 })
    onDisk = [aMessage('1'), aMessage('2')]
    queue.count = 2
    expect(await deliverNext(queue)).toBe(30_000)
    expect(steps).toEqual(['1 failed: The receiver answered 500.'])
    expect(queue).toMatchObject({ failures: 1, trouble: 'The receiver answered 500.', underWay: undefined })
    failure = undefined
    await deliverNext(queue)
    expect(steps).toContain('sends 1')
    expect(queue).toMatchObject({ failures: 0, trouble: null })
  })

  test('is dead once it is too old', async () => {
    failure = new NotDelivered('The receiver answered 500.')
    onDisk = [aMessage('1')]
    queue.count = 1
    await clock.advance(DAY_MS)
    await deliverNext(queue)
    expect(steps.at(-1)).toBe('1 dead')
    expect(queue.count).toBe(0)
  })

  test('says nothing about its receiver while the service ends', async () => {
    failure = new Error('The service is stopping.')
    take(queue, aMessage('1'))
    closing.abort()
    expect(await deliverNext(queue)).toBeUndefined()
    expect(steps).toEqual([])
  })
})

describe('when messages are read from disk', () => {
  test('those that were dropped meanwhile do not set out', async () => {
    onDisk = [aMessage('1'), aMessage('2')]
    queue.count = 2
    const delivered = deliverNext(queue)
    queue.droppedWhileLoading!.add('1')
    await delivered
    expect(steps[0]).toBe('sends 2')
  })

  test('attempts of before a restart count, and a channel of which nothing is left is empty', async () => {
    onDisk = [aMessage('1', { attempts: 4 })]
    queue.count = 3
    failure = new NotDelivered('It is away.')
    expect(await deliverNext(queue)).toBeGreaterThan(1_900)
    onDisk = []
    await deliverNext(queue)
    expect(queue.count).toBe(0)
  })
})
