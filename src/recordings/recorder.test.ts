import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { collectWarnings } from '../../test/support/warnings.ts'
import { createLog } from '../observe/log.ts'
import { createLivePaths } from '../streams/live-paths.ts'
import { createRecorder, type RecorderDeps } from './recorder.ts'

/** A recorder whose database is away: it looks for sources, and never gets so far as to record. */
function createRig() {
  const clock = createFakeClock()
  const { localPaths, reports } = createLivePaths()
  const asked: string[] = []
  const recorder = createRecorder({
    dataDir: '/nowhere',
    segmentSeconds: 60,
    mergeSeconds: 0,
    store: {} as RecorderDeps['store'],
    segments: {} as RecorderDeps['segments'],
    sources: {
      async findByMediaPath(path) {
        asked.push(path)
        throw new Error('The database is away.')
      },
      setVideo: async () => {},
    },
    streams: { localPaths, grant: () => expect.unreachable() },
    clock,
    log: createLog({ level: 'silent' }),
  })
  const appear = (path: string) =>
    reports.handle({ type: 'live', path, protocol: 'rtsp', principal: 'ann', video: undefined }, clock.now())
  return { recorder, clock, asked, appear }
}

test('a path that could not be looked up is tried again, and many of them are no leak of listeners', async () => {
  const warnings = collectWarnings()
  const { recorder, clock, asked, appear } = createRig()
  const paths = Array.from({ length: 20 }, (_, index) => `user${index}/cam`)
  for (const path of paths) appear(path)
  await setImmediate()
  expect(asked).toEqual(paths)
  await clock.advance(2_000)
  expect(asked).toEqual([...paths, ...paths])
  expect(warnings).toEqual([])
  await recorder.close()
})
