import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitAggregate } from './aggregate.ts'

function tag(typeId: number, timestamp: number, data: Buffer): Buffer {
  const header = Buffer.alloc(11)
  header[0] = typeId
  header.writeUIntBE(data.length, 1, 3)
  header.writeUIntBE(timestamp & 0xffffff, 4, 3)
  header[7] = timestamp >>> 24
  return Buffer.concat([header, data, Buffer.alloc(4)])
}

const aggregate = (payload: Buffer) => ({ typeId: 22, streamId: 1, timestamp: 1000, payload })

test('tags become messages whose times count from the first', () => {
  const payload = Buffer.concat([tag(9, 0x01000000, Buffer.of(1)), tag(8, 0x01000017, Buffer.of(2))])
  expect(splitAggregate(aggregate(payload))).toEqual([
    { typeId: 9, streamId: 1, timestamp: 1000, payload: Buffer.of(1) },
    { typeId: 8, streamId: 1, timestamp: 1023, payload: Buffer.of(2) },
  ])
})

test('what is cut short is left out', () => {
  const payload = Buffer.concat([tag(9, 0, Buffer.of(1)), tag(8, 5, Buffer.alloc(9))]).subarray(0, -6)
  expect(splitAggregate(aggregate(payload))).toHaveLength(1)
})

test('random bytes never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => void splitAggregate(aggregate(Buffer.from(bytes)))),
  )
})
