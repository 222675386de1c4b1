import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { anEvidenceClip } from '../../../test/builders/evidence.ts'
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { type StoredFile } from '../../core/kept-file.ts'
import { type ClipReaderDeps, createClipReader } from './clip-reader.ts'

const folder = useTemporaryFolder('aerie-clip-reader-')
const signal = new AbortController().signal
const clip = anEvidenceClip(1, { nodeId: 'north' }, 2)

function readerOf(change: Partial<ClipReaderDeps> = {}, stored?: string) {
  const asked: string[] = []
  const body = () => Readable.from([stored])
  const inStore = { open: async () => ({ status: 200, headers: {}, body: body() }) } as unknown as StoredFile
  const open = createClipReader({
    kept: (_clip, n) => ({ path: join(folder(), `${n}.mp4`), inStore: async () => (stored ? inStore : undefined) }),
    partPath: (id, n) => `/clip/${id}/files/${n}.mp4?token=t`,
    nodeFiles: {
      async open(nodeId, path) {
        asked.push(`${nodeId} ${path}`)
        return Readable.from([`of ${nodeId}`])
      },
    },
    node: { id: 'south', epoch: 1 },
    ...change,
  })
  return { asked, read: async (n: number) => text(await open(clip, n, signal)) }
}

test('what is on this disk is read from it', async () => {
  writeFileSync(join(folder(), '2.mp4'), 'here')
  const { asked, read } = readerOf({}, 'stored')
  expect([await read(2), asked]).toEqual(['here', []])
})

test('else from the object store', async () => {
  const { asked, read } = readerOf({}, 'stored')
  expect([await read(1), asked]).toEqual(['stored', []])
})

test('else from the node that has it, by a link', async () => {
  const { asked, read } = readerOf()
  expect([await read(2), asked]).toEqual(['of north', [`north /clip/${clip.id}/files/2.mp4?token=t`]])
})

test.each([
  ['here, where it should be', { node: { id: 'north', epoch: 1 } }],
  ['at the other node', { nodeFiles: { open: async () => undefined } }],
])('what is not %s is gone', async (_, change) => {
  await expect(readerOf(change).read(1)).rejects.toMatchObject({ code: 'clip-not-found' })
})
