import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDeferred } from '../../../core/deferred.ts'
import { type RtmpMessage } from './message.ts'
import { createMessageLoop } from './message-loop.ts'

interface RigOptions {
  /** What `next` gives, one after the other; undefined: chunks that complete no message. */
  readonly input: (number | undefined)[]
  readonly stepsPerSlice?: number
  readonly act?: (typeId: number) => void | Promise<void>
}

function createRig({ input, stepsPerSlice = Infinity, act = () => {} }: RigOptions) {
  const events: (number | string)[] = []
  let steps = 0
  const loop = createMessageLoop({
    incoming: {
      get hasMore() {
        return input.length > 0
      },
      next() {
        const typeId = input.shift()
        return typeId === undefined ? undefined : messageOf(typeId)
      },
    },
    slice: { isOverAfterStep: () => ++steps % stepsPerSlice === 0 },
    socket: { pause: () => void events.push('pause'), resume: () => void events.push('resume') },
    handle({ typeId }) {
      events.push(typeId)
      return act(typeId)
    },
    onError: (error) => void events.push((error as Error).message),
  })
  return { loop, events }
}

const messageOf = (typeId: number): RtmpMessage => ({ typeId, streamId: 0, timestamp: 0, payload: Buffer.alloc(0) })
const fail = () => {
  throw new Error('failed')
}

test('handles all that has arrived', () => {
  const { loop, events } = createRig({ input: [1, 2, undefined, 3] })
  loop.run()
  expect(events).toEqual([1, 2, 3])
})

test('reads nothing while a message is waited for, and goes on by itself', async () => {
  const answered = createDeferred<void>()
  const { loop, events } = createRig({ input: [1, 2, 3], act: (id) => (id === 2 ? answered.promise : undefined) })
  loop.run()
  loop.run()
  expect(events).toEqual([1, 2, 'pause'])
  answered.resolve()
  await nextRound()
  expect(events).toEqual([1, 2, 'pause', 3, 'resume'])
})

test.each([
  { name: 'messages', input: [1, 2, 3, 4, 5], events: [1, 2, 'pause', 3, 4, 'pause', 5, 'resume'] },
  { name: 'chunks without a message', input: [undefined, undefined, 3], events: ['pause', 3, 'resume'] },
])('$name of one time slice are handled, the rest in the next rounds', async ({ input, events: expected }) => {
  const { loop, events } = createRig({ input, stepsPerSlice: 2 })
  loop.run()
  while (events.at(-1) !== 'resume') await nextRound()
  expect(events).toEqual(expected)
})

test('an error is thrown by the run that meets it', () => {
  const { loop } = createRig({ input: [1], act: fail })
  expect(() => loop.run()).toThrow('failed')
})

test('an error after waiting is reported', async () => {
  const { loop, events } = createRig({ input: [1, 2], act: (id) => (id === 1 ? Promise.resolve() : fail()) })
  loop.run()
  await nextRound()
  expect(events).toEqual([1, 'pause', 2, 'failed', 'resume'])
})

test('a message that fails later is reported, and nothing follows it', async () => {
  const { loop, events } = createRig({ input: [1, 2], act: () => Promise.reject(new Error('failed')) })
  loop.run()
  await nextRound()
  expect(events).toEqual([1, 'pause', 'failed'])
})

test('nothing is handled once it is stopped', () => {
  const { loop, events } = createRig({ input: [1, 2], act: () => loop.stop() })
  loop.run()
  expect(events).toEqual([1])
})
