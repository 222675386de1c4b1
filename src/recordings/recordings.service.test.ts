import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { anAccount } from '../../test/builders/plain-account.ts'
import { type StoredFile } from '../core/kept-file.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { createRecordingService } from './recordings.service.ts'
import { type FoundSegment } from './segments.store.ts'

const segment: FoundSegment = {
  id: 's1',
  recordingId: 'r1',
  accountId: 'a',
  alias: 'cam',
  file: 'recordings/s/r1/1.mp4',
  startedAt: 0,
  durationMs: 1000,
  sizeBytes: 10,
  gapMs: null,
  nodeId: 'north',
}

function createRig({ nodeId = 'north', isStored = false }: { nodeId?: string | null; isStored?: boolean } = {}) {
  const clock = createFakeClock()
  const looked: string[] = []
  const service = createRecordingService({
    places: {
      kept: (path) => ({ path, inStore: async () => (isStored ? ({ sizeBytes: 10 } as StoredFile) : undefined) }),
    },
    store: { list: async () => ({ items: [], nextCursor: undefined }) },
    segments: {
      async find(id) {
        looked.push(id)
        return id === 's1' ? { ...segment, nodeId } : undefined
      },
    },
    signer: createLinkSigner('secret'),
    findAccount: async () => anAccount({}),
    clock,
  })
  const tokenOf = (id: string) => new URL(service.downloadUrl('http://localhost', id)).searchParams.get('token')!
  return { service, clock, looked, tokenOf }
}

test('a segment that is on one disk only is asked for at the node of that disk', async () => {
  const { service, tokenOf } = createRig()
  expect(await service.nodeOf('s1', tokenOf('s1'))).toBe('north')
})

test.each([
  { name: 'is in the object store', rig: { isStored: true } },
  { name: 'is of a service of one node', rig: { nodeId: null } },
  { name: 'is there no more', id: 's2' },
])('any node can answer for one that $name', async ({ rig = {}, id = 's1' }) => {
  const { service, tokenOf } = createRig(rig)
  expect(await service.nodeOf(id, tokenOf(id))).toBeUndefined()
})

test('who has no link of ours costs no look-up', async () => {
  const { service, clock, looked, tokenOf } = createRig()
  expect(await service.nodeOf('s1', '')).toBeUndefined()
  expect(await service.nodeOf('s1', tokenOf('s2'))).toBeUndefined()
  const token = tokenOf('s1')
  await clock.advance(25 * 3_600_000)
  expect(await service.nodeOf('s1', token)).toBeUndefined()
  expect(looked).toEqual([])
})
