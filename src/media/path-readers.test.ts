import { describe, expect, test } from 'vitest'
import { createPathReaders } from './path-readers.ts'
import { type Reader } from './publication.ts'
import { type MediaPacket } from './stream.ts'

const packet = (timestamp: number, startsKeyframe = false): MediaPacket => ({
  track: 0,
  data: Buffer.alloc(12),
  timestamp,
  marker: true,
  startsKeyframe,
  receivedAtMs: 0,
})

function setUp(maxReaders = 10) {
  const readers = createPathReaders('ann/cam', maxReaders)
  const events: string[] = []
  function add(name: string, { principal = name, mustWait = false } = {}): Reader {
    const reader: Reader = {
      packet: ({ timestamp }) => void events.push(`${name} packet ${timestamp}`),
      report: ({ timestamp }) => void events.push(`${name} report ${timestamp}`),
      end: (reason) => void events.push(`${name} ${reason}`),
    }
    readers.add(reader, { principal, release: () => void events.push(`${name} released`) }, mustWait)
    return reader
  }
  return { readers, events, add }
}

describe('packets and reports', () => {
  test('a waiting reader gets reports, and packets from the next keyframe on', () => {
    const { readers, events, add } = setUp()
    add('a')
    add('b', { mustWait: true })
    readers.send(packet(1))
    readers.report({ track: 0, timestamp: 2, wallClockMs: 0 })
    readers.send(packet(3, true))
    expect(events).toEqual(['a packet 1', 'a report 2', 'b report 2', 'a packet 3', 'b packet 3'])
  })
})

describe('leaving', () => {
  test('a reader that is removed is released once, and gets nothing more', () => {
    const { readers, events, add } = setUp()
    const reader = add('a')
    readers.remove(reader)
    readers.remove(reader)
    readers.send(packet(1))
    expect(events).toEqual(['a released'])
    expect(readers.count).toBe(0)
  })

  test('all readers of a principal are expelled, waiting or not', () => {
    const { readers, events, add } = setUp()
    add('a1', { principal: 'ann' })
    add('b1', { principal: 'bob' })
    add('a2', { principal: 'ann', mustWait: true })
    readers.expelPrincipal('ann')
    expect(events).toEqual(['a1 released', 'a1 expelled', 'a2 released', 'a2 expelled'])
    expect(readers.count).toBe(1)
  })

  test('all are expelled with the reason, though one removes another meanwhile', () => {
    const { readers, events, add } = setUp()
    const other = add('a')
    readers.add(
      { packet: () => {}, report: () => {}, end: () => readers.remove(other) },
      { principal: 'bob', release: () => {} },
      false,
    )
    readers.expelAll('taken-over')
    expect(events).toEqual(['a released', 'a taken-over'])
    expect(readers.count).toBe(0)
  })
})

test('a full path refuses another reader, and those that wait count too', () => {
  const { readers, add } = setUp(2)
  add('a')
  readers.checkRoom()
  const waiting = add('b', { mustWait: true })
  expect(() => readers.checkRoom()).toThrow(expect.objectContaining({ reason: 'too-many-readers' }) as Error)
  readers.remove(waiting)
  readers.checkRoom()
})
