import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** An empty folder for each test of a file, removed after it. Returns the path of the current one. */
export function useTemporaryFolder(prefix: string): () => string {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), prefix))
  })
  afterEach(() => rm(folder, { recursive: true }))
  return () => folder
}
