import { open } from 'node:fs/promises'
import { toZulu } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type RecordedFile, type Stretch } from '../core/recorded-time.ts'
import { toFragmentIndex } from '../media/mp4/fragment-index.ts'
import { walkFragments } from '../media/mp4/fragment-walk.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type RecordedFileStore } from './recorded-files.store.ts'
import { renderVod, type VodContainer } from './vod-playlist.ts'
import { type VodTokens } from './vod-token.ts'
import { type VodViewers } from './vod-viewers.ts'

export interface VodDeps {
  readonly sources: { findByMediaPath(path: string): Promise<readonly { readonly id: string }[]> }
  readonly files: Pick<RecordedFileStore, 'list'>
  readonly places: Pick<FilePlaces, 'kept'>
  readonly tokens: Pick<VodTokens, 'issue'>
  readonly viewers: Pick<VodViewers, 'nameOf'>
  readonly node: OwnNode | null
}

export interface VodQuestion {
  readonly path: string
  readonly stretch: Stretch
  /** What the player wants. `ts-if-possible`: it can't seek in MP4. */
  readonly container: VodContainer | 'ts-if-possible'
  /** Who was admitted to the path, as streams know it. */
  readonly principal: string
}

/** What was recorded of a path, as a playlist. */
export interface Vod {
  playlist(question: VodQuestion): Promise<string>
}

/** What MPEG-TS carries: in files of before there was an index there is nothing else. */
const CODECS_OF_TS = /^(avc1|avc3|hvc1|hev1)\b/

export function createVod({ sources, files, places, tokens, viewers, node }: VodDeps): Vod {
  /** Where a file that is being written can be cut by now; its last half second is still coming. */
  async function indexOpen(file: RecordedFile): Promise<RecordedFile | undefined> {
    if (file.nodeId !== null && file.nodeId !== node?.id) return undefined
    const handle = await open(places.kept(file.file).path).catch(() => undefined)
    if (!handle) return undefined
    try {
      const { size } = await handle.stat()
      const walk = await walkFragments(handle, size)
      const fragments = walk.fragments.slice(0, -1)
      const durationMs = Math.round(Math.max(0, ...fragments.map(({ endMs }) => endMs)))
      return { ...file, durationMs, sizeBytes: size, index: toFragmentIndex({ ...walk, fragments }) }
    } finally {
      await handle.close()
    }
  }

  async function readable(file: RecordedFile): Promise<RecordedFile[]> {
    if (file.durationMs !== null) return [file]
    const indexed = await indexOpen(file)
    return indexed?.index ? [indexed] : []
  }

  return {
    async playlist({ path, stretch, container: wanted, principal }) {
      const registered = await sources.findByMediaPath(path)
      const [first] = registered
      if (!first) throw new AppError('stream-not-found', { path, username: ownerOfPath(path) })
      const ids = registered.map(({ id }) => id)
      const found = (await Promise.all((await files.list(ids, stretch)).map(readable))).flat()
      const container = wanted === 'ts-if-possible' ? (found.every(isForTs) ? 'ts' : 'mp4') : wanted
      const viewer = await viewers.nameOf(principal)
      const issued = new Map<string, string>()
      const tokenOf = (sourceId: string) => {
        if (!issued.has(sourceId)) issued.set(sourceId, tokens.issue({ sourceId, viewer }))
        return issued.get(sourceId)!
      }
      const playlist = renderVod(found, stretch, { container, root: '../'.repeat(path.split('/').length + 1), tokenOf })
      if (playlist === undefined) throw nothingRecorded(path, first.id, stretch)
      return playlist
    },
  }
}

function isForTs({ index }: RecordedFile): boolean {
  return !index || CODECS_OF_TS.test(index.codecs)
}

function nothingRecorded(path: string, sourceId: string, { from, to }: Stretch): AppError {
  return new AppError('nothing-recorded', { alias: path, from: toZulu(from), to: toZulu(to), source_uuid: sourceId })
}
