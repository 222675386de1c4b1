import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { pathInUse } from '../core/refusals.ts'
import { createTurns } from '../core/turns.ts'
import { type Source } from './source.ts'
import { type SourceStore } from './sources.store.ts'
import { type ReceivedFile, toVideoFile, type VideoFolder } from './video-upload.ts'

export interface Registered {
  readonly source: Source
  readonly isNew: boolean
}

/** A source of a received file, which gets its place in the folder of videos here. */
export type NewFileSource = Omit<Source, 'file' | 'contentSha256'>

/** Rows of sources and the files that belong to them, which are added and removed together. */
export interface SourceRegistry {
  /** Throws when the account's limits or an output at its path are against it. */
  insert(account: Account, source: Source): Promise<Registered>
  /**
   * Throws as `insert` does, when the account has such a source already, when it is gone, and when it would get another path but
   * may not move. Nobody else changes it in between.
   */
  change(
    account: Account,
    sourceId: string,
    change: (source: Source) => Source,
    options?: { readonly mayMove: () => boolean },
  ): Promise<{ readonly before: Source; readonly source: Source }>
  /** Moves the received file into the folder; where the account has the same content already, its file is used. */
  insertFile(account: Account, received: ReceivedFile, source: NewFileSource): Promise<Registered>
  /** The file is removed with the last source that has it. Throws `source-in-use` if `isUsed` says so right before the removal. */
  remove(source: Source, isUsed?: () => boolean | Promise<boolean>): Promise<void>
}

export interface SourceRegistryDeps {
  readonly store: Pick<
    SourceStore,
    'insertWithinLimits' | 'change' | 'findOutputAt' | 'findByContent' | 'isFileUsed' | 'isFileUsedHere' | 'remove'
  >
  readonly isLive: (path: string) => boolean
  readonly videos: Pick<VideoFolder, 'keep' | 'remove' | 'removeHere'>
}

export function createSourceRegistry({ store, isLive, videos }: SourceRegistryDeps): SourceRegistry {
  /** Sources of an account share files: adding one and removing the last user of its file must not run at the same time. */
  const turns = createTurns()

  async function insert(account: Account, source: Source): Promise<Registered> {
    const outcome = await store.insertWithinLimits(account, source, isLive)
    if (outcome === 'source-limit-reached') throw new AppError(outcome, { limit: account.limits.maxSources })
    if (outcome === 'video-storage-full')
      throw new AppError(outcome, { limit_bytes: account.limits.totalStorageSizeBytes })
    if (outcome === 'path-in-use') throw await takenByOutput(account, source.mediaPath!)
    return outcome
  }

  async function takenByOutput(account: Account, path: string): Promise<AppError> {
    return pathInUse(account, path, await store.findOutputAt(path))
  }

  async function removeUnused(file: string): Promise<void> {
    if (!(await store.isFileUsed(file))) await videos.remove(file)
    else if (!(await store.isFileUsedHere(file))) await videos.removeHere(file)
  }

  return {
    insert,
    async change(account, sourceId, change, options) {
      const outcome = await store.change(account, sourceId, change, { isLive, ...options })
      if (typeof outcome === 'string') throw new AppError(outcome, { source_uuid: sourceId })
      if ('takenPath' in outcome) throw await takenByOutput(account, outcome.takenPath)
      return outcome
    },
    insertFile: (account, received, source) =>
      turns.take(account.id, async () => {
        const { sha256: contentSha256 } = received
        const file = (await store.findByContent(account.id, contentSha256))?.file ?? toVideoFile(account.id, received)
        // The file before the row: a row without its file would be found again by its content, and never work.
        await videos.keep(received, file)
        try {
          return await insert(account, { ...source, contentSha256, file })
        } catch (error) {
          await removeUnused(file)
          throw error
        }
      }),
    remove: ({ id, accountId, file }, isUsed = () => false) =>
      turns.take(accountId, async () => {
        if (await isUsed()) throw new AppError('source-in-use')
        // The row before the file: what a crash leaves behind is removed at the next start.
        await store.remove(id)
        if (file !== null) await removeUnused(file)
      }),
  }
}
