import { describe, expect, test } from 'vitest'
import { createHlsFailures, HlsFailure } from './hls-failures.ts'

describe('hls failure', () => {
  test('a failure of a camera that is put off still says nothing of the camera to others', () => {
    const failure = new HlsFailure('cam.lan refuses the connection.', { isOfCamera: true }).after(7)
    const refusal = failure.toRefusal('ann/cam', { isOwner: false })
    expect(refusal).toMatchObject({ code: 'stream-not-watchable', retryAfterSeconds: 7 })
    expect(refusal.message).not.toContain('cam.lan')
    expect(failure.toRefusal('ann/cam', { isOwner: true }).message).toContain('cam.lan')
  })
})

describe('hls failures', () => {
  const failure = new HlsFailure('It is broken.')

  test('a failure is recent for a second, and its reason is known for longer', () => {
    const clock = { now: 5 }
    const failures = createHlsFailures(() => clock.now)
    expect(failures.find('ann/cam')).toBeUndefined()
    failures.add('ann/cam', failure)
    clock.now += 999
    expect(failures.find('ann/cam')).toEqual({ failure, isRecent: true })
    clock.now += 1
    expect(failures.find('ann/cam')).toEqual({ failure, isRecent: false })
  })

  test('beyond a number of paths the oldest is forgotten', () => {
    const failures = createHlsFailures(() => 0, 2)
    for (const path of ['a', 'b', 'c']) failures.add(path, failure)
    expect(['a', 'b', 'c'].map((path) => failures.find(path) !== undefined)).toEqual([false, true, true])
  })
})
