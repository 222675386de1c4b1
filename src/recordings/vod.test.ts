import { appendFileSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFragmentIndex, aRecordedFile } from '../../test/builders/recorded-file.ts'
import { recordClip, type RecordedClip } from '../../test/support/recorded-clip.ts'
import { type RecordedFile } from '../core/recorded-time.ts'
import { createVod, type VodQuestion } from './vod.ts'

let folder: string
let clip: RecordedClip
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-vod-'))
  clip = await recordClip(folder, { seconds: 5 })
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

function createRig(files: readonly RecordedFile[], sourceIds = ['cam', 'twin']) {
  const asked: unknown[] = []
  const vod = createVod({
    sources: { findByMediaPath: async () => sourceIds.map((id) => ({ id })) },
    files: {
      async list(ids, stretch) {
        asked.push([ids, stretch])
        return [...files]
      },
    },
    places: { kept: (file) => ({ path: join(folder, file), inStore: async () => undefined }) },
    tokens: { issue: ({ sourceId, viewer }) => `${viewer}-${sourceId}` },
    viewers: { nameOf: async (principal) => principal },
    node: { id: 'south', epoch: 1 },
  })
  const ask = (change: Partial<VodQuestion> = {}) =>
    vod.playlist({
      path: 'ann/hall/gate',
      stretch: { from: 0, to: 60_000 },
      container: 'mp4',
      principal: 'ann',
      ...change,
    })
  return { asked, ask }
}

const piecesIn = (playlist: string) => playlist.split('\n').filter((line) => line.startsWith('../'))

test('what is recorded of any source of the path is in it, each with a token of its own', async () => {
  const { asked, ask } = createRig([aRecordedFile(), aRecordedFile({ id: 'b', sourceId: 'twin', startedAt: 10_000 })])
  const pieces = piecesIn(await ask())
  expect(asked).toEqual([[['cam', 'twin'], { from: 0, to: 60_000 }]])
  expect(pieces[0]).toBe('../../../../recorded/file-1000-3000-10000.m4s?token=ann-cam')
  expect(pieces.at(-1)).toBe('../../../../recorded/b-5000-6000-20000.m4s?token=ann-twin')
})

test('a file that is being written here is played up to its last half second', async () => {
  copyFileSync(clip.file, join(folder, 'open.mp4'))
  // A fragment that is just being written.
  appendFileSync(join(folder, 'open.mp4'), clip.bytes.subarray(clip.index.groups[0]!.byte).subarray(0, 700))
  const open = aRecordedFile({ id: 'open', file: 'open.mp4', durationMs: null, index: null, nodeId: 'south' })
  const pieces = piecesIn(await createRig([open]).ask())
  const [first] = clip.index.groups
  expect(pieces[0]).toMatch(new RegExp(`open-${first!.byte}-${clip.index.groups[2]!.byte}-10000`))
  expect(pieces).toHaveLength(2)
  expect(Number(/-(\d+)-6000|-(\d+)-10000/.exec(pieces[1]!)![2])).toBeLessThan(clip.index.end)
})

test.each([
  ['of another node', { file: 'clip.mp4', nodeId: 'north' }],
  ['that is gone', { file: 'gone.mp4', nodeId: 'south' }],
])('a file that is being written %s is left out', async (_what, change) => {
  copyFileSync(clip.file, join(folder, 'clip.mp4'))
  const open = aRecordedFile({ durationMs: null, index: null, ...change })
  await expect(createRig([open]).ask()).rejects.toMatchObject({ code: 'nothing-recorded' })
})

test('a player that seeks in transport streams only gets one, where the codec goes into it', async () => {
  const h265 = aRecordedFile({ index: { ...aFragmentIndex(), codecs: 'hvc1.1.6.L60.90,opus' } })
  const other = aRecordedFile({ index: { ...aFragmentIndex(), codecs: 'av01.0.04M.08' } })
  const suffixOf = async (file: RecordedFile) =>
    /\.(m4s|ts)\?/.exec(await createRig([file]).ask({ container: 'ts-if-possible' }))![1]
  expect(await Promise.all([h265, other, aRecordedFile({ index: null })].map(suffixOf))).toEqual(['ts', 'm4s', 'ts'])
})

test('without a source there is no stream, and without recordings nothing, in words', async () => {
  await expect(createRig([], []).ask()).rejects.toMatchObject({ code: 'stream-not-found' })
  await expect(createRig([]).ask()).rejects.toThrow(
    'Nothing of ann/hall/gate was recorded between 1970-01-01T00:00:00.000Z and 1970-01-01T00:01:00.000Z; GET /source/cam/timeline says what is.',
  )
})
