import { type Account } from '../../core/account.ts'
import { AppError } from '../../core/errors.ts'
import {
  type EvidenceClip,
  type EvidenceClips,
  type EvidenceReports,
  type EvidenceSettings,
} from './evidence-sources.ts'
import { type PackageFile } from './signed-package.ts'
import { partPath, readmeOf, recordPath, reportFolder } from './package-paths.ts'

export interface PackageContents {
  readonly caller: Account
  readonly clips: readonly NumberedClip[]
  /**
   * Whose reports of a source go along; undefined where none do. Asked when they are read, which may be long after: rejects once the caller
   * may not see them any more.
   */
  readonly ownerOf: ((sourceId: string) => Promise<Account>) | undefined
  readonly versions: object
  readonly fingerprint: string
  readonly signal: AbortSignal
}

export interface NumberedClip {
  /** From 1, in the order in which they were asked for. */
  readonly number: number
  readonly clip: EvidenceClip
}

export interface PackageContentDeps {
  readonly clips: EvidenceClips
  readonly reports: EvidenceReports
  readonly settings: EvidenceSettings
}

/**
 * The files of a package, in their order, each read when its turn comes. Rejects when a clip goes or changes meanwhile: what was begun must
 * not end as if it were whole.
 */
export async function* packageFiles(contents: PackageContents, deps: PackageContentDeps): AsyncGenerator<PackageFile> {
  const { clips, ownerOf, versions, fingerprint, signal } = contents
  yield { name: 'README.txt', bytes: Buffer.from(readmeOf(fingerprint)) }
  for (const { number, clip } of clips) {
    for (const [index, { sizeBytes, sha256 }] of clip.parts.entries()) {
      const pieces = await deps.clips.open(clip, index + 1, signal)
      try {
        yield { name: partPath(number, clip, index + 1), pieces, size: sizeBytes, sha256 }
      } finally {
        // Whoever leaves before the first of them would leave the file open.
        pieces.destroy()
      }
    }
    yield { name: recordPath(number, clip), bytes: toJson(clip.record) }
    await requireSame(deps.clips, clip)
  }
  /** By id: several clips may be of the same one. */
  const processes = new Map<string, object>()
  if (ownerOf)
    for (const { number, clip } of clips) {
      const owner = await ownerOf(clip.sourceId)
      for (const processId of await deps.reports.listProcesses(owner, clip.sourceId, clip)) {
        yield* reportFiles(reportFolder(number, processId), { owner, processId, clip }, deps.reports)
        processes.set(processId, await deps.settings.process(owner, processId))
      }
    }
  yield { name: 'settings.json', bytes: toJson(await settingsOf(contents, [...processes.values()], deps.settings)) }
  yield { name: 'versions.json', bytes: toJson(versions) }
  for (const { clip } of clips) await requireSame(deps.clips, clip)
}

interface ReportOfClip {
  readonly owner: Account
  readonly processId: string
  readonly clip: EvidenceClip
}

async function* reportFiles(
  folder: string,
  { owner, processId, clip }: ReportOfClip,
  reports: EvidenceReports,
): AsyncGenerator<PackageFile> {
  for (const format of ['json', 'geojson', 'kml'] as const)
    yield { name: `${folder}/tracks.${format}`, pieces: asBytes(reports.exportTracks(owner, processId, clip, format)) }
  for await (const { trackId, jpeg } of reports.pictures(owner, processId, clip))
    yield { name: `${folder}/pictures/${trackId}.jpg`, bytes: jpeg }
}

async function settingsOf(
  { caller, clips, ownerOf }: PackageContents,
  processes: readonly object[],
  settings: EvidenceSettings,
): Promise<object> {
  const sources: object[] = []
  const alerts: object[] = []
  for (const sourceId of ownerOf ? new Set(clips.map(({ clip }) => clip.sourceId)) : []) {
    const owner = await ownerOf!(sourceId)
    const source = await settings.source(caller, owner, sourceId)
    if (source) sources.push(source)
    alerts.push({ source_uuid: sourceId, alerts: await settings.alerts(owner, sourceId) })
  }
  const named = clips.map(({ number, clip }) => ({ clip: number, clip_uuid: clip.id, source_uuid: clip.sourceId }))
  return { clips: named, sources, processes, alerts }
}

async function requireSame(clips: EvidenceClips, { id, accountId, parts, alias }: EvidenceClip): Promise<void> {
  const now = await clips.find({ id: accountId }, id)
  const hashes = (of: EvidenceClip['parts']) => of.map(({ sha256 }) => sha256).join()
  if (now.state !== 'ready' || hashes(now.parts) !== hashes(parts) || now.alias !== alias)
    throw new AppError('clip-not-ready', { clip_uuid: id, state: now.state })
}

async function* asBytes(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text)
}

const toJson = (value: object) => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
