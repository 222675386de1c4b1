import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flvTag } from '../../../../test/builders/flv-tags.ts'
import { MAX_PARTS } from '../../rtp/part-limit.ts'
import { splitAggregate } from './aggregate.ts'

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
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => void [...splitAggregate(aggregate(Buffer.from(bytes)))]),
  )
})
