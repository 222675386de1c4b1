import { expect, test } from 'vitest'
import { HlsFailure } from './hls-failure.ts'

test('a failure of a camera that is put off still says nothing of the camera to others', () => {
  const failure = new HlsFailure('cam.lan refuses the connection.', { isOfCamera: true }).after(7)
  const refusal = failure.toRefusal('ann/cam', { isOwner: false })
  expect(refusal).toMatchObject({ code: 'stream-not-watchable', retryAfterSeconds: 7 })
  expect(refusal.message).not.toContain('cam.lan')
  expect(failure.toRefusal('ann/cam', { isOwner: true }).message).toContain('cam.lan')
})
