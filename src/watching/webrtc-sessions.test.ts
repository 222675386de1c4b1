import { beforeEach, expect, test, vi } from 'vitest'
import { createWebrtcSessions } from './webrtc-sessions.ts'

beforeEach(() => void vi.useFakeTimers())
test('an offer has the outcome that came first, and is too late after ten seconds', async () => {
  const sessions = createWebrtcSessions()
  const answered = sessions.open('a', 'ann/cam', () => {})
  const late = sessions.open('b', 'ann/cam', () => {})
  sessions.settle('a', { type: 'answer', id: 'a', sdp: 'v=0' })
  sessions.settle('unknown', 'gateway-died')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await answered).toMatchObject({ type: 'answer' })
  expect(await late).toBe('too-late')
})

test('what a session holds is released once, at its end', () => {
  const sessions = createWebrtcSessions()
  const released: string[] = []
  void sessions.open('a', 'ann/cam', () => void released.push('a'))
  sessions.end('a')
  sessions.end('a')
  expect(released).toEqual(['a'])
})

test('an offer whose session ends before its answer does not wait for one', async () => {
  const sessions = createWebrtcSessions()
  const waiting = sessions.open('a', 'ann/cam', () => {})
  sessions.end('a')
  expect([await waiting, vi.getTimerCount()]).toEqual(['ended', 0])
})

test('sessions are counted by the owners of their paths', () => {
  const sessions = createWebrtcSessions()
  void sessions.open('a', 'ann/cam', () => {})
  void sessions.open('b', 'ann/other', () => {})
  void sessions.open('c', 'bob/cam', () => {})
  expect([sessions.countOf('ann'), sessions.countOf('bob')]).toEqual([2, 1])
  sessions.end('a')
  expect([sessions.countOf('ann'), sessions.pathOf('a'), sessions.pathOf('b')]).toEqual([1, undefined, 'ann/other'])
})

test('with the gateway all end, and those that wait for answers know it', async () => {
  const sessions = createWebrtcSessions()
  const waiting = [sessions.open('a', 'ann/cam', () => {}), sessions.open('b', 'ann/cam', () => {})]
  sessions.endAll('gateway-died')
  expect(await Promise.all(waiting)).toEqual(['gateway-died', 'gateway-died'])
  expect(sessions.countOf('ann')).toBe(0)
})

test('of those that have ended the latest are remembered, each with its path', () => {
  const sessions = createWebrtcSessions({ maxEnded: 2 })
  for (const id of ['a', 'b', 'c']) {
    void sessions.open(id, 'ann/cam', () => {})
    sessions.end(id)
  }
  expect(['a', 'b', 'c'].map((id) => sessions.hasEnded(id, 'ann/cam'))).toEqual([false, true, true])
  expect(sessions.hasEnded('c', 'ann/other')).toBe(false)
})
