import { expect, test, vi } from 'vitest'
import { createBus } from './bus.ts'

interface Events {
  greeted: { name: string }
}

test('everyone who listens hears an event, until they stop listening', () => {
  const bus = createBus<Events>(() => {})
  const heard: string[] = []
  const stop = bus.on('greeted', ({ name }) => void heard.push(`first ${name}`))
  bus.on('greeted', ({ name }) => void heard.push(`second ${name}`))
  bus.emit('greeted', { name: 'ada' })
  stop()
  bus.emit('greeted', { name: 'bob' })
  expect(heard).toEqual(['first ada', 'second ada', 'second bob'])
})

test.each([
  ['rejects', () => Promise.reject(new Error('no'))],
  [
    'throws',
    () => {
      throw new Error('no')
    },
  ],
])('a handler that %s is reported and hurts nobody else', async (_how, fail) => {
  const onError = vi.fn()
  const bus = createBus<Events>(onError)
  const heard: string[] = []
  bus.on('greeted', fail)
  bus.on('greeted', ({ name }) => void heard.push(name))
  bus.emit('greeted', { name: 'ada' })
  await Promise.resolve()
  expect(heard).toEqual(['ada'])
  expect(onError).toHaveBeenCalledWith(expect.any(Error), 'greeted')
})

test('a delivery waits for its handlers, and fails if one of them does', async () => {
  const bus = createBus<Events>(() => {})
  const heard: string[] = []
  bus.on('greeted', async ({ name }) => {
    await Promise.resolve()
    heard.push(name)
  })
  await bus.deliver('greeted', { name: 'ada' })
  expect(heard).toEqual(['ada'])
  bus.on('greeted', () => Promise.reject(new Error('no')))
  await expect(bus.deliver('greeted', { name: 'bob' })).rejects.toThrow('greeted')
  expect(heard).toEqual(['ada', 'bob'])
})
