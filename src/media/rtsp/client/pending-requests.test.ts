import { MessageChannel } from 'node:worker_threads'
import { beforeEach, expect, test, vi } from 'vitest'
import { type RtspResponse } from '../wire/message.ts'
import { createPendingRequests } from './pending-requests.ts'

const TIMEOUT_MS = 5_000

beforeEach(() => void vi.useFakeTimers())
const response = (cseq?: number): RtspResponse => ({
  kind: 'response',
  status: 200,
  reason: 'OK',
  headers: new Map(cseq === undefined ? [] : [['cseq', String(cseq)]]),
  body: Buffer.alloc(0),
})
const ignore = () => {}

test('responses belong to the requests whose number they have', async () => {
  const pending = createPendingRequests(TIMEOUT_MS)
  const [first, second] = [pending.add(ignore), pending.add(ignore)]
  expect([first.cseq, second.cseq]).toEqual([1, 2])
  const responses = [response(1), response(2)]
  pending.resolve(responses[1]!)
  pending.resolve(responses[0]!)
  expect(await Promise.all([first.response, second.response])).toEqual(responses)
})

test.each([
  ['no number', response()],
  ['a wrong number', response(99)],
])('a response with %s belongs to the oldest request', async (_what, received) => {
  const pending = createPendingRequests(TIMEOUT_MS)
  const { response: first } = pending.add(ignore)
  pending.resolve(received)
  expect(await first).toBe(received)
  pending.resolve(received)
})

test('the timeout names the request, and is over once there is a response', async () => {
  const pending = createPendingRequests(TIMEOUT_MS)
  const timedOut: number[] = []
  const onTimeout = (cseq: number) => void timedOut.push(cseq)
  pending.add(onTimeout)
  const second = pending.add(onTimeout)
  pending.resolve(response(1))
  vi.advanceTimersByTime(TIMEOUT_MS + 1)
  expect(timedOut).toEqual([2])
  pending.reject(2, new Error('too late'))
  pending.reject(2, new Error('twice'))
  await expect(second.response).rejects.toThrow('too late')
})

test('a response that came while the process stood still is in time', async () => {
  vi.useRealTimers()
  const { port1, port2 } = new MessageChannel()
  const pending = createPendingRequests(20)
  const onTimeout = vi.fn()
  const { response: received } = pending.add(onTimeout)
  port1.on('message', () => pending.resolve(response(1)))
  port2.postMessage('response')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
  await received
  expect(onTimeout).not.toHaveBeenCalled()
  port1.close()
})

test('all are rejected at once, and none of them times out later', async () => {
  const pending = createPendingRequests(TIMEOUT_MS)
  const onTimeout = vi.fn()
  const responses = [pending.add(onTimeout), pending.add(onTimeout)].map((added) => added.response)
  pending.rejectAll(new Error('closed'))
  for (const rejected of responses) await expect(rejected).rejects.toThrow('closed')
  vi.advanceTimersByTime(TIMEOUT_MS + 1)
  expect(onTimeout).not.toHaveBeenCalled()
})
