import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDeferred } from '../../../core/deferred.ts'
import { RtspFailure } from '../wire/message.ts'
import { createMessageReader } from './message-reader.ts'

const request = (cseq: number) => Buffer.from(`OPTIONS * RTSP/1.0\r\nCSeq: ${cseq}\r\n\r\n`)
const frame = (channel: number) => Buffer.of(0x24, channel, 0, 1, 9)

function setUp() {
  const events: string[] = []
  const errors: unknown[] = []
  const answers: ReturnType<typeof createDeferred<void>>[] = []
  const clock = { nowMs: 0 }
  const reader = createMessageReader({
    socket: { pause: () => events.push('pause'), resume: () => events.push('resume') },
    onFrame: (channel) => void events.push(`frame ${channel}`),
    onRequest({ headers }) {
      events.push(`request ${headers.get('cseq')}`)
      const answer = createDeferred<void>()
      answers.push(answer)
      return answer.promise
    },
    onError: (error) => void errors.push(error),
    now: () => clock.nowMs,
  })
  return { reader, events, errors, answers, clock }
}

test('while a request is answered nothing more is read', async () => {
  const { reader, events, answers } = setUp()
  reader.push(Buffer.concat([frame(1), request(1), frame(2), request(2)]))
  await nextRound()
  expect(events.splice(0)).toEqual(['frame 1', 'pause', 'request 1'])
  answers[0]!.resolve()
  await nextRound()
  await nextRound()
  expect(events.splice(0)).toEqual(['frame 2', 'pause', 'request 2'])
  answers[1]!.resolve()
  await nextRound()
  await nextRound()
  expect(events).toEqual(['resume'])
})

test('very many frames are handed on over several rounds, in order', async () => {
  const { reader, events } = setUp()
  const channels = Array.from({ length: 600 }, (_, i) => i % 256)
  reader.push(Buffer.concat(channels.map(frame)))
  expect(events.length).toBeLessThan(600)
  while (events.at(-1) !== 'resume') await nextRound()
  expect(events.filter((event) => event.startsWith('frame'))).toEqual(channels.map((channel) => `frame ${channel}`))
})

test('after a stop nothing is handed on', () => {
  const { reader, events } = setUp()
  reader.stop()
  reader.push(frame(1))
  expect(events).toEqual([])
})

test('what can not be parsed is an error', () => {
  const { reader, errors } = setUp()
  reader.push(Buffer.from('no request\r\n'))
  expect(errors).toEqual([expect.any(RtspFailure)])
})

test('a failure to answer is an error too', async () => {
  const { reader, errors, answers } = setUp()
  reader.push(request(1))
  answers[0]!.reject(new Error('broken'))
  await nextRound()
  expect(errors).toEqual([new Error('broken')])
})

test('a message that stays incomplete is overdue after a while, counted from its first byte', () => {
  const { reader, clock } = setUp()
  expect(reader.isOverdue(1_000, 10)).toBe(false)
  clock.nowMs = 5
  reader.push(frame(1).subarray(0, 2))
  clock.nowMs = 9
  reader.push(frame(1).subarray(2, 4))
  expect([15, 16].map((nowMs) => reader.isOverdue(nowMs, 10))).toEqual([false, true])
  reader.push(frame(1).subarray(4))
  expect(reader.isOverdue(1_000, 10)).toBe(false)
})
