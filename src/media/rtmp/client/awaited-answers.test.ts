import { MessageChannel } from 'node:worker_threads'
import { expect, test, vi } from 'vitest'
import { createAwaitedAnswers } from './awaited-answers.ts'

test('the first is the one that is waited for the longest, until it is settled', async () => {
  const awaited = createAwaitedAnswers()
  const connect = awaited.add<void>('connect', 1_000, () => {})
  const play = awaited.add<void>('play', 1_000, () => {})
  expect(awaited.first).toBe('connect')
  connect.resolve()
  await connect.promise
  expect(awaited.first).toBe('play')
  awaited.rejectAll(new Error('closed'))
  await expect(play.promise).rejects.toThrow('closed')
  expect(awaited.first).toBeUndefined()
})

test('an answer that came while the process stood still is in time', async () => {
  const { port1, port2 } = new MessageChannel()
  const onLate = vi.fn()
  const answer = createAwaitedAnswers().add<void>('connect', 20, onLate)
  port1.on('message', () => answer.resolve())
  port2.postMessage('answer')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
  await answer.promise
  expect(onLate).not.toHaveBeenCalled()
  port1.close()
})
