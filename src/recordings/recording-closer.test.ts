import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../observe/log.ts'
import { createRecordingCloser, recordingFolder } from './recording-closer.ts'
import { type Recording } from './recordings.store.ts'
import { type Segment } from './segments.store.ts'

const recording: Recording = { id: 'r', accountId: 'a', sourceId: 's', alias: 'cam', startedAt: 500, endedAt: null }
let dataDir: string
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'aerie-closer-'))))
afterEach(() => rmSync(dataDir, { recursive: true }))

/** A recording of these segments; `null` for those that were open when the power went. */
function createRig(durations: Record<string, number | null>) {
  const folder = recordingFolder(dataDir, recording)
  mkdirSync(folder, { recursive: true })
  const listed = new Map<string, Segment>()
  for (const [index, [id, durationMs]] of Object.entries(durations).entries())
    listed.set(id, {
      id,
      recordingId: 'r',
      accountId: 'a',
      file: `recordings/s/r/${id}.mp4`,
      startedAt: 1_000 * (index + 1),
      durationMs,
      sizeBytes: 7,
      gapMs: null,
    })
  const done: string[] = []
  const lines: string[] = []
  const closer = createRecordingCloser(
    dataDir,
    {
      find: async () => ({ ...recording, segments: [...listed.values()] }),
      end: async (_id, endedAt) => void done.push(`ended at ${endedAt}`),
      remove: async () => void done.push('removed'),
    },
    {
      insert: () => expect.unreachable(),
      end: async (id, change) => void listed.set(id, { ...listed.get(id)!, ...change }),
      remove: async ({ id }) => void listed.delete(id),
    },
    createLog({ level: 'warn', write: (line) => lines.push(line) }),
  )
  const pathOf = (id: string) => join(dataDir, listed.get(id)!.file)
  return {
    closer,
    done,
    lines,
    pathOf,
    /** Reading it fails, and so does removing it. */
    makeUnreadable: (id: string) => mkdirSync(pathOf(id)),
    rows: () => [...listed.values()].map(({ id, durationMs, sizeBytes }) => [id, durationMs, sizeBytes]),
  }
}

test('a file that cannot be read stays listed as open, and its recording ends without it', async () => {
  const { closer, done, lines, rows, makeUnreadable } = createRig({ whole: 900, bad: null, gone: null })
  makeUnreadable('bad')
  await closer.finish(recording)
  expect(done).toEqual(['ended at 2000'])
  expect(rows()).toEqual([
    ['whole', 900, 7],
    ['bad', null, 7],
  ])
  expect(lines).toEqual([expect.stringMatching(/recordings\/s\/r\/bad\.mp4.*a file of a recording cannot be read/)])
})

test('what could not be read is measured once it can be', async () => {
  const { closer, done, rows, pathOf, makeUnreadable } = createRig({ whole: 900, bad: null })
  makeUnreadable('bad')
  expect(await closer.closeSegment('bad', 'recordings/s/r/bad.mp4', 5_000)).toBeUndefined()
  rmSync(pathOf('bad'), { recursive: true })
  writeFileSync(pathOf('bad'), '')
  await closer.finish(recording)
  expect(rows()).toEqual([['whole', 900, 7]])
  expect(done).toEqual(['ended at 1900'])
})

test('an empty file that cannot be removed stays with its row, and the recording ends', async () => {
  const { closer, done, lines, rows, pathOf, makeUnreadable } = createRig({ empty: 0 })
  makeUnreadable('empty')
  await closer.finish(recording)
  expect(done).toEqual(['ended at 1000'])
  expect(rows()).toEqual([['empty', 0, 7]])
  expect(existsSync(pathOf('empty'))).toBe(true)
  expect(lines).toEqual([expect.stringContaining('an empty file of a recording cannot be removed')])
})

test('a recording that holds nothing is dropped with its files', async () => {
  const { closer, done, rows, pathOf } = createRig({ empty: null, gone: null })
  writeFileSync(pathOf('empty'), '')
  await closer.finish(recording)
  expect([done, rows()]).toEqual([['removed'], []])
  expect(existsSync(recordingFolder(dataDir, recording))).toBe(false)
})
