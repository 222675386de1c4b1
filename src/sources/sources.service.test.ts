import { expect, test } from 'vitest'
import { createSourceService, type SourceDeps } from './sources.service.ts'

test('a file that cannot be removed keeps no room for its account', async () => {
  let isReleased = false
  const videos = { discard: () => Promise.reject(new Error('EIO')) }
  const service = createSourceService({ videos } as unknown as SourceDeps)
  const received = { file: 'a', fileName: 'a.mp4', sizeBytes: 1, sha256: '', extension: '.mp4' }
  await expect(service.discardVideo({ ...received, release: () => void (isReleased = true) })).rejects.toThrow('EIO')
  expect(isReleased).toBe(true)
})
