import { expect, test } from 'vitest'
import { createDeferred } from './deferred.ts'
import { createClientQueue } from './client-queue.ts'

test('messages go out one after the other, in order', async () => {
  const sent: string[] = []
  const queue = createClientQueue({ send: async (text) => void sent.push(text) })
  for (const text of ['a', 'b', 'c']) queue.push(text)
  await queue.finish()
  expect(sent).toEqual(['a', 'b', 'c'])
})

test('who does not take them loses the oldest, and keeps the newest three hundred', async () => {
  const gate = createDeferred()
  const sent: number[] = []
  const queue = createClientQueue({
    async send(text) {
      await gate.promise
      sent.push(Number(text))
    },
  })
  queue.push('0')
  await Promise.resolve()
  for (let number = 1; number <= 1_000; number++) queue.push(String(number))
  gate.resolve()
  await queue.finish()
  expect(sent).toEqual([0, ...Array.from({ length: 300 }, (_, index) => 701 + index)])
})

test('a connection that is gone ends it, and later messages are let go', async () => {
  let tries = 0
  const queue = createClientQueue({
    send() {
      tries += 1
      return Promise.reject(new Error('closed'))
    },
  })
  queue.push('a')
  queue.push('b')
  await queue.finish()
  queue.push('c')
  expect(tries).toBe(1)
})
