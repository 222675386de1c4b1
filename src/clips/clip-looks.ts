import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Clock } from '../core/clock.ts'
import { BLOCK_HEAD_BYTES, readBlockHeads } from '../core/look-blocks.ts'
import { type NodeFiles } from '../core/node-files.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type LookFile, type LookFileStore } from './look-files.store.ts'

/** What was seen, for boxes in clips. */
export interface ClipLooks {
  /**
   * Files in this folder with the blocks that overlap a stretch, one for each process: of the source, or of one of its processes alone.
   * Rejects with `node-unreachable` while the node is away that has some of it.
   */
  bring(of: LooksOf, folder: string, signal: AbortSignal): Promise<readonly string[]>
}

export interface LooksOf {
  readonly sourceId: string
  readonly processId: string | null
  readonly stretch: Stretch
}

export interface ClipLooksDeps {
  readonly store: LookFileStore
  readonly places: Pick<FilePlaces, 'kept' | 'bring'>
  readonly node: OwnNode | null
  /** Undefined in a service of one node. */
  readonly nodeFiles?: NodeFiles | undefined
  readonly signer: LinkSigner
  readonly clock: Clock
}

/** For a node to ask another one with. */
const TOKEN_MS = 60_000

export function createClipLooks({ store, places, node, nodeFiles, signer, clock }: ClipLooksDeps): ClipLooks {
  async function read({ id, file, nodeId }: LookFile, signal: AbortSignal): Promise<Buffer | undefined> {
    const isElsewhere = nodeId !== null && nodeId !== node?.id && nodeFiles !== undefined
    if (isElsewhere && !(await places.kept(file).inStore())) {
      const token = signer.sign(`looks ${id}`, clock.now() + TOKEN_MS)
      const body = await nodeFiles.open(nodeId, `/recorded_detections/${id}?token=${token}`, signal)
      return body && buffer(body)
    }
    const path = await places.bring(file)
    return path === undefined ? undefined : readFile(path).catch(undefinedIfGone)
  }

  return {
    async bring({ sourceId, processId, stretch }, folder, signal) {
      const byProcess = new Map<string, Buffer[]>()
      for (const file of await store.list(sourceId, processId, stretch)) {
        signal.throwIfAborted()
        const bytes = await read(file, signal)
        const blocks = bytes ? blocksOf(bytes, stretch) : []
        if (blocks.length > 0) byProcess.set(file.processId, [...(byProcess.get(file.processId) ?? []), ...blocks])
      }
      const paths: string[] = []
      for (const blocks of byProcess.values()) {
        const path = join(folder, `${paths.length + 1}.looks`)
        await writeFile(path, Buffer.concat(blocks), { mode: 0o600 })
        paths.push(path)
      }
      return paths
    },
  }
}

/** Retention may have taken it meanwhile. Boxes that cannot be read must not be left out unnoticed. */
function undefinedIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}

/** As they are, with their heads. */
function blocksOf(file: Buffer, { from, to }: Stretch): Buffer[] {
  return readBlockHeads(file)
    .heads.filter(({ firstAtMs, lastAtMs }) => lastAtMs >= from - AROUND_MS && firstAtMs <= to)
    .map(({ at, bytes }) => file.subarray(at, at + BLOCK_HEAD_BYTES + bytes))
}

/** A look is shown for a while. */
const AROUND_MS = 3_000
