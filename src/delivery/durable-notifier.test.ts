import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { UnacceptableError } from '../core/delivery.ts'
import { createDurableNotifier } from './durable-notifier.ts'

let clock: FakeClock
let queue: string[]
let sent: string[]
let log: string[]
/** Ids that the outbox does not take for now, and those that it never takes. */
let failing: Set<string>
let refused: Set<string>

beforeEach(() => {
  clock = createFakeClock()
  ;[queue, sent, log] = [[], [], []]
  ;[failing, refused] = [new Set(), new Set()]
})

const create = (atOnce = 1) =>
  createDurableNotifier<string, { id: string }>(
    {
      isReady: () => queue.length > 0,
      next: () => queue.slice(0, atOnce),
      prepare: async (items) => void log.push(`prepare ${items.join(' ')}`),
      messagesOf: (item) => [{ id: `${item}-a` }, { id: `${item}-b` }],
      onTaken: (items) => void queue.splice(0, items.length),
      onRefused: () => void log.push('refused'),
      onFailure: () => void log.push('failed'),
      onGivenUp: () => void log.push('given up'),
      onIdle: () => void log.push('idle'),
    },
    {
      async send({ id }) {
        if (refused.has(id)) throw new UnacceptableError('too large')
        if (failing.has(id)) throw new Error('The disk is full.')
        sent.push(id)
      },
      clock,
    },
  )

describe('a durable notifier', () => {
  test('hands over in order, each prepared before it goes', async () => {
    const notifier = create()
    queue.push('1', '2')
    notifier.wake()
    expect(notifier.isBusy).toBe(true)
    await notifier.flush()
    expect(sent).toEqual(['1-a', '1-b', '2-a', '2-b'])
    expect(log).toEqual(['prepare 1', 'prepare 2', 'idle'])
    expect(notifier.isBusy).toBe(false)
  })

  test('tries again what failed, before all that comes behind, and sends nothing twice', async () => {
    const notifier = create()
    failing.add('1-b')
    queue.push('1', '2')
    notifier.wake()
    await clock.advance(0)
    expect(sent).toEqual(['1-a'])
    failing.clear()
    await clock.advance(1_000)
    await notifier.flush()
    expect(sent).toEqual(['1-a', '1-b', '2-a', '2-b'])
  })

  test('goes on without what will never be taken', async () => {
    const notifier = create(2)
    refused.add('1-a')
    queue.push('1', '2')
    notifier.wake()
    await notifier.flush()
    expect(sent).toEqual(['1-b', '2-a', '2-b'])
    expect(log).toEqual(['prepare 1 2', 'refused', 'idle'])
  })

  test('that is closed tries once more, and then leaves the rest', async () => {
    const notifier = create()
    for (const id of ['1-a', '1-b']) failing.add(id)
    queue.push('1', '2')
    notifier.wake()
    await clock.advance(0)
    await notifier.close()
    expect([sent, queue]).toEqual([[], ['1', '2']])
    expect(log).toEqual(['prepare 1', 'failed', 'prepare 1', 'failed', 'given up', 'idle'])
  })
})
