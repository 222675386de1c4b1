import { open } from 'node:fs/promises'
import { type Readable } from 'node:stream'
import { AppError } from '../../core/errors.ts'
import { type KeptFile } from '../../core/kept-file.ts'
import { type NodeFiles } from '../../core/node-files.ts'
import { type OwnNode } from '../../core/own-node.ts'
import { type EvidenceClip, type EvidenceClips } from './evidence-sources.ts'

export interface ClipReaderDeps {
  /** A part, counted from 1. */
  readonly kept: (clip: EvidenceClip, n: number) => KeptFile
  /** The path of a link to it. */
  readonly partPath: (clipId: string, n: number) => string
  /** Undefined in a service of one node. */
  readonly nodeFiles: NodeFiles | undefined
  readonly node: OwnNode | null
}

/** Opens the files of clips wherever they are: here, in the object store, at another node. */
export function createClipReader({ kept, partPath, nodeFiles, node }: ClipReaderDeps): EvidenceClips['open'] {
  return async (clip, n, signal) => {
    const file = kept(clip, n)
    const here = await openHere(file.path)
    if (here) return here
    const stored = await file.inStore()
    if (stored) return (await stored.open({ signal })).body
    const isElsewhere = clip.nodeId !== null && clip.nodeId !== node?.id
    const sent = isElsewhere ? await nodeFiles?.open(clip.nodeId, partPath(clip.id, n), signal) : undefined
    if (!sent) throw new AppError('clip-not-found', { clip_uuid: clip.id })
    return sent
  }
}

async function openHere(path: string): Promise<Readable | undefined> {
  try {
    return (await open(path)).createReadStream()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}
