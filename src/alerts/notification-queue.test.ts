import { describe, expect, test } from 'vitest'
import { anAlert } from '../../test/builders/alerts.ts'
import { createNotificationQueue, type QueuedEvent } from './notification-queue.ts'

const alert = anAlert()
const item = (event: string, change: Partial<QueuedEvent> = {}): QueuedEvent => ({
  alert,
  event: { event, data: {} },
  eventId: null,
  seenAt: { takenAtMs: 0 },
  ...change,
})
const unfinished = { alert, events: [], seenAt: { takenAtMs: 0 } }
const namesOf = (items: readonly QueuedEvent[]) => items.map(({ event }) => event.event)

describe('an update replaces the last one', () => {
  test.each<{ name: string; queued: QueuedEvent; pushed: QueuedEvent; left: number }>([
    { name: 'that waits', queued: item('update'), pushed: item('update'), left: 1 },
    { name: 'but no other event', queued: item('lost'), pushed: item('update'), left: 2 },
    { name: 'and no other event does', queued: item('update'), pushed: item('lost'), left: 2 },
    { name: 'unless it has its number', queued: item('update', { sequence: 1 }), pushed: item('update'), left: 2 },
    { name: 'unless it changes progress', queued: item('update', { unfinished }), pushed: item('update'), left: 2 },
    { name: 'unless the new one does', queued: item('update'), pushed: item('update', { unfinished }), left: 2 },
    { name: 'of the same setup only', queued: item('update'), pushed: item('update', { alert: anAlert({ setup: { ...alert.setup } }) }), left: 2 }, // prettier-ignore
  ])('$name', ({ queued, pushed, left }) => {
    const queue = createNotificationQueue()
    queue.push(queued)
    queue.push(pushed)
    expect(queue.length).toBe(left)
    expect(queue.peek(10).at(-1)).toBe(pushed)
  })

  test('unless that is under way', () => {
    const queue = createNotificationQueue()
    queue.push(item('update'))
    queue.start(1)
    queue.push(item('update'))
    expect(queue.length).toBe(2)
  })
})

test('what has arrived leaves, and nothing else', () => {
  const queue = createNotificationQueue()
  for (const event of ['a', 'b', 'c']) queue.push(item(event))
  expect(namesOf(queue.start(2))).toEqual(['a', 'b'])
  queue.push(item('d'))
  queue.finish()
  expect(namesOf(queue.peek(10))).toEqual(['c', 'd'])
})

test('what is under way stays when the rest is dropped', () => {
  const queue = createNotificationQueue()
  for (const event of ['a', 'b', 'c']) queue.push(item(event))
  queue.start(1)
  queue.dropWaiting()
  expect(namesOf(queue.peek(10))).toEqual(['a'])
  queue.clear()
  expect(queue.length).toBe(0)
})

test('a thousand may wait; how many more there were is asked for once', () => {
  const queue = createNotificationQueue()
  for (let index = 0; index < 1_003; index++) queue.push(item('found'))
  expect([queue.length, queue.takeLost(), queue.takeLost()]).toEqual([1_000, 3, 0])
})

test('whether an event waits that changes what is unfinished', () => {
  const queue = createNotificationQueue()
  queue.push(item('found'))
  expect(queue.changesUnfinished).toBe(false)
  queue.push(item('ended', { unfinished: null }))
  expect(queue.changesUnfinished).toBe(true)
})

test('pictures beyond four million characters are left out, until others have arrived', () => {
  const queue = createNotificationQueue()
  const found = (chars: number) => item('found', { event: { event: 'found', data: { tracks: [{ image: 'x'.repeat(chars) }] } } }) // prettier-ignore
  const images = () => queue.peek(10).map(({ event }) => (event.data['tracks'] as { image: string | null }[])[0]!.image?.length) // prettier-ignore
  for (const chars of [3_000_000, 2_000_000, 1_000_000]) queue.push(found(chars))
  expect(images()).toEqual([3_000_000, undefined, 1_000_000])
  queue.start(1)
  queue.finish()
  queue.push(found(3_000_000))
  expect(images()).toEqual([undefined, 1_000_000, 3_000_000])
})
