import { EventEmitter } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createIncoming, serveTexts } from './text-socket.ts'

beforeEach(() => void vi.useFakeTimers())
function createSocket() {
  const events = new EventEmitter()
  const socket = Object.assign(events, {
    send: (_text: string, done: () => void) => done(),
    ping: () => {},
    close: vi.fn(),
    terminate: vi.fn(() => void events.emit('close')),
    pause: vi.fn(),
  })
  const emit = (event: string, times: number) => {
    for (let time = 0; time < times; time++) events.emit(event, Buffer.from('x'))
  }
  return { socket, emit }
}

test('who sends more than a stored flight is closed with the reason, read no further, and soon cut off', () => {
  const { socket, emit } = createSocket()
  let heard = 0
  serveTexts(socket, { onText: () => (heard += 1), incoming: createIncoming(createFakeClock()) })
  emit('message', 2_000)
  expect([heard, socket.close.mock.calls.length]).toEqual([2_000, 0])
  emit('message', 100_000)
  expect(heard).toBe(2_000)
  expect(socket.close.mock.calls).toEqual([[1008, expect.stringContaining('More than 300 messages a second')]])
  expect(Buffer.byteLength(String(socket.close.mock.calls[0]![1]))).toBeLessThanOrEqual(123)
  expect(socket.pause).toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(socket.terminate).toHaveBeenCalledTimes(1)
})

test('a message of many kilobytes counts as many', () => {
  const { socket } = createSocket()
  let heard = 0
  serveTexts(socket, { onText: () => (heard += 1), incoming: createIncoming(createFakeClock()) })
  for (let i = 0; i < 100; i++) socket.emit('message', Buffer.alloc(50_000))
  expect(heard).toBe(40)
  expect(socket.close.mock.calls).toEqual([[1008, expect.stringContaining('or as many kB')]])
})

test.each([
  { name: 'a client that answers stays', answers: 4, terminated: 0 },
  { name: 'one that no longer answers is let go after a heartbeat', answers: 2, terminated: 1 },
  { name: 'one that never answers too', answers: 0, terminated: 1 },
])('$name', ({ answers, terminated }) => {
  const { socket, emit } = createSocket()
  let left = answers
  socket.ping = () => emit('pong', left-- > 0 ? 1 : 0)
  serveTexts(socket)
  vi.advanceTimersByTime(4 * 15_000)
  expect(socket.terminate).toHaveBeenCalledTimes(terminated)
  emit('close', 1)
})

test('sixty messages a second are heard for as long as they come', async () => {
  vi.useRealTimers()
  const clock = createFakeClock()
  const { socket, emit } = createSocket()
  let heard = 0
  serveTexts(socket, { onText: () => (heard += 1), incoming: createIncoming(clock) })
  for (let second = 0; second < 600; second++) {
    emit('message', 60)
    await clock.advance(1_000)
  }
  expect(heard).toBe(36_000)
  expect(socket.close).not.toHaveBeenCalled()
  emit('close', 1)
})

test('coming again does not help who is known beyond the connection', () => {
  const incoming = createIncoming(createFakeClock())
  for (const limit of [2_001, 1]) {
    const { socket, emit } = createSocket()
    serveTexts(socket, { incoming })
    emit('message', limit)
    expect(socket.close).toHaveBeenCalledTimes(1)
  }
})
