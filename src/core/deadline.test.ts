import { getEventListeners } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createDeadline, isSettledWithin, unlessAborted } from './deadline.ts'
import { createDeferred } from './deferred.ts'

describe('deadline', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('calls once when nobody moved it', () => {
    const passed = vi.fn()
    createDeadline(passed).set(100)
    vi.advanceTimersByTime(99)
    expect(passed).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1000)
    expect(passed).toHaveBeenCalledOnce()
  })

  test('can be moved away, nearer, and taken back', () => {
    const passed = vi.fn()
    const deadline = createDeadline(passed)
    deadline.set(100)
    vi.advanceTimersByTime(90)
    deadline.set(100)
    vi.advanceTimersByTime(90)
    expect(passed).not.toHaveBeenCalled()
    deadline.set(5)
    vi.advanceTimersByTime(6)
    expect(passed).toHaveBeenCalledOnce()
    deadline.set(5)
    deadline.clear()
    vi.advanceTimersByTime(1000)
    expect(passed).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('what came while the process stood still is read before it is called late', async () => {
    vi.useRealTimers()
    const { port1, port2 } = new MessageChannel()
    const passed = vi.fn()
    const deadline = createDeadline(passed)
    port1.on('message', () => deadline.set(60_000))
    deadline.set(20)
    port2.postMessage('alive')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(passed).not.toHaveBeenCalled()
    deadline.clear()
    port1.close()
  })
})

describe('settled within', () => {
  test('what resolves in time is waited for, and nothing sleeps on', async () => {
    const clock = createFakeClock()
    const done = createDeferred()
    const isSettled = isSettledWithin(done.promise, 1_000, clock)
    done.resolve()
    expect(await isSettled).toBe(true)
  })

  test('what takes longer is not', async () => {
    const clock = createFakeClock()
    const isSettled = isSettledWithin(new Promise(() => {}), 1_000, clock)
    await clock.advance(1_000)
    expect(await isSettled).toBe(false)
  })

  test('what fails fails here', async () => {
    await expect(isSettledWithin(Promise.reject(new Error('no')), 1_000, createFakeClock())).rejects.toThrow('no')
  })
})

describe('unless aborted', () => {
  const never = () => new Promise<never>(() => {})

  test('what comes in time is passed on, and nothing is left on the signal', async () => {
    const { signal } = new AbortController()
    const failure = new Error('No.')
    expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1)
    await expect(unlessAborted(Promise.reject(failure), signal)).rejects.toBe(failure)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(await unlessAborted(Promise.resolve(2), undefined)).toBe(2)
  })

  test('an abort ends the wait, before it and during it, with the error of the caller', async () => {
    const leaving = new AbortController()
    const error = new Error('We left.')
    const waiting = unlessAborted(never(), leaving.signal, () => error)
    leaving.abort()
    await expect(waiting).rejects.toBe(error)
    await expect(unlessAborted(never(), leaving.signal)).rejects.toThrow('not wanted any more')
  })

  test('what is rejected after the abort is nobody’s concern', async () => {
    const leaving = new AbortController()
    const late = createDeferred<never>()
    const waiting = unlessAborted(late.promise, leaving.signal)
    leaving.abort()
    await expect(waiting).rejects.toThrow('not wanted any more')
    late.reject(new Error('Too late.'))
    await new Promise((resolve) => setImmediate(resolve))
  })
})
