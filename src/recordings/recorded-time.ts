import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type NodeFiles } from '../core/node-files.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type RecordedFile, type RecordedTime } from '../core/recorded-time.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type RecordedFileStore } from './recorded-files.store.ts'

export interface RecordedTimeDeps {
  readonly store: Pick<RecordedFileStore, 'list' | 'listSiblings'>
  readonly places: Pick<FilePlaces, 'kept' | 'bring'>
  readonly node: OwnNode | null
  /** Undefined in a service of one node. */
  readonly nodeFiles: NodeFiles | undefined
  readonly signer: LinkSigner
  readonly clock: Clock
}

/** For a node to ask another one with. */
const TOKEN_MS = 60_000
const AGAIN_MS = 1_000

export function createRecordedTime(deps: RecordedTimeDeps): RecordedTime {
  const { store, places, node, nodeFiles, signer, clock } = deps

  async function bringFromNode(file: RecordedFile, nodeId: string, scratch: string, signal: AbortSignal) {
    const token = signer.sign(file.id, clock.now() + TOKEN_MS)
    const body = await nodeFiles!.open(nodeId, `/sources/recordings/segments/${file.id}.mp4?token=${token}`, signal)
    if (!body) return undefined
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    const path = join(scratch, `${file.id}-${randomUUID()}.mp4`)
    try {
      await pipeline(body, createWriteStream(path, { mode: 0o600 }), { signal })
      return path
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  /** Who works on recordings has time: what is still being fetched is waited for. */
  async function bringFromStore({ file }: RecordedFile, signal: AbortSignal): Promise<string | undefined> {
    for (;;) {
      try {
        return await places.bring(file)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'file-being-fetched') throw error
        await clock.sleep(AGAIN_MS, signal)
        signal.throwIfAborted()
      }
    }
  }

  return {
    async filesOf(sourceId, stretch) {
      return store.list(await store.listSiblings(sourceId), stretch)
    },
    async bring(file, scratch, signal) {
      const kept = places.kept(file.file)
      if (await exists(kept.path)) return kept.path
      const { nodeId } = file
      const isElsewhere = nodeId !== null && nodeId !== node?.id && nodeFiles !== undefined
      if (isElsewhere && !(await kept.inStore())) return bringFromNode(file, nodeId, scratch, signal)
      return bringFromStore(file, signal)
    },
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
