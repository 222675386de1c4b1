import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pushAll } from '../../../../test/support/chunk-messages.ts'
import { flvTag } from '../../../../test/builders/flv-tags.ts'
import { MAX_PARTS } from '../../rtp/part-limit.ts'
import { CHUNK_LIMITS } from './chunk-limits.ts'
import { MESSAGE } from './message.ts'
import { createIncomingMessages, splitAggregate } from './incoming-messages.ts'

/** A message in one chunk (RTMP 1.0 §5.3.1), which may hold 128 bytes. */
function chunk(typeId: number, payload: Buffer, timestamp = 0): Buffer {
  const header = Buffer.alloc(12)
  header[0] = 5
  header.writeUIntBE(timestamp, 1, 3)
  header.writeUIntBE(payload.length, 4, 3)
  header[7] = typeId
  header.writeUInt32LE(1, 8)
  return Buffer.concat([header, payload])
}
const video = (byte: number, timestamp: number) => chunk(MESSAGE.video, Buffer.of(byte), timestamp)
const aggregate = (timestamp: number, ...tags: Buffer[]) => chunk(MESSAGE.aggregate, Buffer.concat(tags), timestamp)
const tag = (byte: number, ms: number) => flvTag(MESSAGE.video, Buffer.of(byte), ms)

test.each([
  { name: 'a message by itself', sent: [video(1, 10)], seen: ['1 at 10'] },
  { name: 'an aggregate', sent: [aggregate(10, tag(1, 0), tag(2, 5))], seen: ['1 at 10', '2 at 15'] },
  {
    name: 'messages around one stay in order',
    sent: [video(1, 10), aggregate(20, tag(2, 0), tag(3, 5)), video(4, 30)],
    seen: ['1 at 10', '2 at 20', '3 at 25', '4 at 30'],
  },
  {
    name: 'two in a row',
    sent: [aggregate(10, tag(1, 0)), aggregate(20, tag(2, 0))],
    seen: ['1 at 10', '2 at 20'],
  },
  { name: 'an empty one is nothing', sent: [aggregate(10), video(1, 20)], seen: ['1 at 20'] },
  {
    name: 'so is one without media',
    sent: [aggregate(10, flvTag(MESSAGE.aggregate, Buffer.of(9))), video(1, 20)],
    seen: ['1 at 20'],
  },
])('$name', ({ sent, seen }) => {
  const messages = pushAll(createIncomingMessages(CHUNK_LIMITS), Buffer.concat(sent))
  expect(messages.map(({ payload, timestamp }) => `${payload[0]} at ${timestamp}`)).toEqual(seen)
})

test('what is in an aggregate comes one at a time, before what is behind it is looked at', () => {
  const incoming = createIncomingMessages(CHUNK_LIMITS)
  incoming.push(Buffer.concat([aggregate(10, tag(1, 0), tag(2, 5)), video(3, 20)]))
  expect(incoming.next()?.payload[0]).toBe(1)
  expect([incoming.next(), incoming.next(), incoming.next()].map((message) => message?.payload[0])).toEqual([
    2,
    3,
    undefined,
  ])
})

describe('splitting of an aggregate', () => {
  const aggregate = (payload: Buffer) => ({ typeId: 22, streamId: 1, timestamp: 1000, payload })

  test('tags become messages whose times count from the first', () => {
    const payload = Buffer.concat([flvTag(9, Buffer.of(1), 0x01000000), flvTag(8, Buffer.of(2), 0x01000017)])
    expect([...splitAggregate(aggregate(payload))]).toEqual([
      { typeId: 9, streamId: 1, timestamp: 1000, payload: Buffer.of(1) },
      { typeId: 8, streamId: 1, timestamp: 1023, payload: Buffer.of(2) },
    ])
  })

  test('what is cut short is left out', () => {
    const payload = Buffer.concat([flvTag(9, Buffer.of(1)), flvTag(8, Buffer.alloc(9), 5)]).subarray(0, -6)
    expect([...splitAggregate(aggregate(payload))]).toHaveLength(1)
  })

  test('what is no media is left out: commands and further aggregates', () => {
    const payload = Buffer.concat([20, 22, 4, 18, 8].map((typeId) => flvTag(typeId, Buffer.of(1))))
    expect([...splitAggregate(aggregate(payload))].map(({ typeId }) => typeId)).toEqual([18, 8])
  })

  test.each([8, 9, 20])('more tags of type %i than anybody needs are not taken apart', (typeId) => {
    const tag = flvTag(typeId, Buffer.alloc(0))
    const whole = Buffer.alloc(tag.length * MAX_PARTS, tag)
    expect([...splitAggregate(aggregate(whole))]).toHaveLength(typeId === 20 ? 0 : MAX_PARTS)
    expect(() => [...splitAggregate(aggregate(Buffer.concat([whole, tag])))]).toThrow(`more than ${MAX_PARTS} parts`)
  })

  test('random bytes never throw', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 100 }),
        (bytes) => void [...splitAggregate(aggregate(Buffer.from(bytes)))],
      ),
    )
  })
})
