import { expect, test, vi } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createLog } from '../observe/log.ts'
import { createStartSlots } from '../supervise/start-slots.ts'
import { startHlsWorker } from './hls-worker.ts'

test('a player that waits for a worker whose turn to start does not come is asked to come later', async () => {
  vi.useFakeTimers()
  const clock = createFakeClock()
  // Durations do not depend on the wall clock.
  clock.setBack(7_200_000)
  const revoked: string[] = []
  let isRemoved = false
  const worker = startHlsWorker({
    path: 'ann/cam',
    folder: { socketPath: '/nowhere/hls.sock', remove: () => void (isRemoved = true) },
    streams: {
      grant(_action, path, purpose) {
        expect(purpose).toEqual({ isForViewers: true })
        return { url: `rtsp://127.0.0.1/${path}`, revoke: () => void revoked.push(path) }
      },
      cameraFault: () => undefined,
    },
    clock,
    log: createLog({ level: 'silent' }),
    startSlots: createStartSlots({ maxStarting: 0 }),
  })
  const refusal = worker
    .ask({ file: 'index.m3u8', search: '', uriQuery: '', signal: new AbortController().signal })
    .catch((error: unknown) => error)
  expect(worker.askedAt).toBe(clock.steady())
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await refusal).toMatchObject({
    name: 'HlsFailure',
    retryAfterSeconds: 5,
    message: 'Too many streams are being started.',
  })
  expect(await worker.ended).toEqual({ failure: await refusal, wasWatchable: false })
  expect(revoked).toContain('ann/cam')
  expect(isRemoved).toBe(true)
  await worker.stop()
})
