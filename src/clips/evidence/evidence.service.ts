import { type Account } from '../../core/account.ts'
import { type Clock, toZulu } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { type SourceRights } from '../../core/source-rights.ts'
import { PRODUCT } from '../../core/version.ts'
import { type EvidenceClip } from './evidence-sources.ts'
import { packageFiles, type PackageContentDeps } from './package-contents.ts'
import { fileNameOf, partPath, timeInName } from './package-paths.ts'
import { createPackageSlots } from './package-slots.ts'
import { writeSignedPackage } from './signed-package.ts'
import { type SigningKey } from './signing-key.ts'

export interface EvidenceDeps extends PackageContentDeps {
  readonly key: SigningKey
  readonly rights: Pick<SourceRights, 'ownerFor'>
  /** What made the package: shown in it. */
  readonly versions: () => object
  readonly serviceVersion: string
  readonly clock: Pick<Clock, 'now'>
}

export interface EvidenceRequest {
  readonly clipIds: readonly string[]
  readonly withReports: boolean
  readonly alias: string | undefined
}

export interface OpenedPackage {
  readonly fileName: string
  readonly pieces: AsyncIterable<Buffer>
}

export type EvidenceService = ReturnType<typeof createEvidenceService>

export function createEvidenceService(deps: EvidenceDeps) {
  const { clips, key, rights, versions, serviceVersion, clock } = deps
  const slots = createPackageSlots()

  async function findReady(account: Account, clipId: string, signal: AbortSignal): Promise<EvidenceClip> {
    const clip = await clips.find(account, clipId)
    if (clip.state !== 'ready') throw new AppError('clip-not-ready', { clip_uuid: clipId, state: clip.state })
    // Also that they are there, and can be read: once the answer has begun it can only break off.
    for (let n = 1; n <= clip.parts.length; n++) (await clips.open(clip, n, signal)).destroy()
    return clip
  }

  /** All of it is checked before anything is sent. */
  async function prepare(account: Account, request: EvidenceRequest, signal: AbortSignal): Promise<OpenedPackage> {
    const { clipIds, withReports, alias } = request
    const chosen: EvidenceClip[] = []
    for (const clipId of new Set(clipIds)) chosen.push(await findReady(account, clipId, signal))
    const numbered = chosen.map((clip, index) => ({ number: index + 1, clip }))
    // Rejects where the caller may watch a source, and not see what was seen in it.
    const ownerOf = withReports ? (sourceId: string) => rights.ownerFor(account, sourceId, 'events') : undefined
    if (ownerOf) for (const sourceId of new Set(chosen.map((clip) => clip.sourceId))) await ownerOf(sourceId)
    const now = clock.now()
    const head = {
      created_at: toZulu(now),
      service: { product: PRODUCT, version: serviceVersion },
      alias: alias ?? null,
      username: account.username,
      clips: numbered.map(({ number, clip }) => ({
        clip_uuid: clip.id,
        paths: clip.parts.map((_, index) => partPath(number, clip, index + 1)),
      })),
    }
    const known = { versions: versions(), fingerprint: key.fingerprint }
    const contents = { caller: account, clips: numbered, ownerOf, ...known, signal }
    const name = alias === undefined ? '' : `${fileNameOf(alias)}-`
    return {
      fileName: `evidence-${name}${timeInName(now)}.zip`,
      pieces: writeSignedPackage(packageFiles(contents, deps), head, key),
    }
  }

  return {
    publicKey: { pem: key.pem, fingerprint: key.fingerprint },

    /** Rejects with `evidence-limit-reached` while the key has too many under way. The signal ends one that nobody takes any more. */
    async open(account: Account, request: EvidenceRequest, signal: AbortSignal): Promise<OpenedPackage> {
      signal.throwIfAborted()
      const giveBack = slots.take(account.id)
      const leave = () => {
        signal.removeEventListener('abort', leave)
        giveBack()
      }
      // What was never begun to be taken does not end by itself.
      signal.addEventListener('abort', leave)
      try {
        const { fileName, pieces } = await prepare(account, request, signal)
        return { fileName, pieces: withEnd(pieces, leave) }
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

async function* withEnd(pieces: AsyncIterable<Buffer>, onEnd: () => void): AsyncGenerator<Buffer> {
  try {
    yield* pieces
  } finally {
    onEnd()
  }
}
