import { expect, test } from 'vitest'
import { pushAll } from '../../../../test/support/chunk-messages.ts'
import { createChunkParser } from './chunk-parser.ts'
import { chunkBody, createHeaderWriter, OUTGOING_CHUNK_SIZE, writeMessage } from './chunk-writer.ts'
import { setChunkSize } from './control-messages.ts'

function receiver() {
  const parser = createChunkParser()
  pushAll(parser, setChunkSize(OUTGOING_CHUNK_SIZE))
  return parser
}

test.each([0, 1, 65_535, 65_536, 65_537, 200_000])('a message of %i bytes arrives', (length) => {
  const payload = Buffer.from(Array.from({ length }, (_, index) => index & 0xff))
  const messages = pushAll(receiver(), writeMessage(3, { typeId: 20, streamId: 1, payload }))
  expect(messages).toHaveLength(1)
  expect(messages[0]!.payload.equals(payload)).toBe(true)
})

test('a small body is the payload itself, not a copy', () => {
  const payload = Buffer.alloc(1000)
  expect(chunkBody(6, payload)).toBe(payload)
})

test('readers who came at different times share bodies and have their own times', () => {
  const body = chunkBody(6, Buffer.alloc(70_000, 7))
  const [early, late] = [createHeaderWriter(6, 9, 1), createHeaderWriter(6, 9, 1)]
  const [earlyReceiver, lateReceiver] = [receiver(), receiver()]
  const timesOf = (messages: readonly { timestamp: number }[]) => messages.map(({ timestamp }) => timestamp)
  const sendEarly = (ms: number) => pushAll(earlyReceiver, Buffer.concat([early.next(ms, 70_000), body]))
  const sendLate = (ms: number) => pushAll(lateReceiver, Buffer.concat([late.next(ms, 70_000), body]))

  expect(timesOf([0, 40, 20_000_000, 20_000_040].flatMap(sendEarly))).toEqual([0, 40, 16_777_254, 16_777_294])
  expect(timesOf([0, 40, 40].flatMap(sendLate))).toEqual([0, 40, 40])
})

test('a stay of many hours needs no extended timestamps', () => {
  const headers = createHeaderWriter(4, 8, 1)
  const parser = receiver()
  let last = 0
  for (let ms = 0; ms <= 20_000_000; ms += 10_000) {
    last = pushAll(parser, Buffer.concat([headers.next(ms, 1), Buffer.of(1)]))[0]!.timestamp
  }
  expect(last).toBe(20_000_000)
})
