import { type NodeFiles } from '../../core/node-files.ts'
import { type OwnNode } from '../../core/own-node.ts'
import { type FilePlaces } from '../../storage/object-store/file-places.ts'
import { clipFile } from '../clip.ts'
import { toClipRecord } from '../clips.schema.ts'
import { type ClipService } from '../clips.service.ts'
import { type ListedClip } from '../clips.store.ts'
import { createClipReader } from './clip-reader.ts'
import { createEvidenceService, type EvidenceDeps } from './evidence.service.ts'
import { evidenceRoutes } from './evidence.routes.ts'

export interface EvidenceModuleDeps extends Omit<EvidenceDeps, 'clips'> {
  readonly clips: Pick<ClipService, 'find' | 'partPath'>
  readonly places: Pick<FilePlaces, 'kept'>
  readonly nodeFiles?: NodeFiles | undefined
  readonly node: OwnNode | null
}

/** Packages of evidence: clips and what was seen in them, signed. */
export function createEvidence(deps: EvidenceModuleDeps) {
  const { clips, places, nodeFiles, node } = deps
  const open = createClipReader({
    kept: (clip, n) => places.kept(clipFile(clip, n)),
    partPath: (clipId, n) => clips.partPath(clipId, n),
    nodeFiles,
    node,
  })
  const service = createEvidenceService({
    ...deps,
    clips: {
      async find(account, clipId) {
        const clip = await clips.find(account, clipId)
        return { ...clip, record: withoutLinks(clip) }
      },
      open,
    },
  })
  return { service, routes: [evidenceRoutes(service)] }
}

/** They would let whoever has the package in. */
function withoutLinks(clip: ListedClip): object {
  const { url: _, parts, ...record } = toClipRecord(clip, () => '')
  return { ...record, parts: parts.map(({ url: __, ...part }) => part) }
}
