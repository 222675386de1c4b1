import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type DialCheck } from './dial-check.ts'
import { chooseRecording, recordedAlways } from './recording-choice.ts'
import { type Source, streamFingerprint } from './source.ts'
import { type SourceDirectory } from './source-directory.ts'
import { type SourcePaths } from './source-paths.ts'
import { checkNoMask } from './source-secrets.ts'
import { type Registered, type SourceRegistry } from './source-registry.ts'
import { type SourceTokenStore } from './source-tokens.store.ts'
import { tokenPrincipal } from './source-token-issuer.ts'
import { type ChangeSource } from './source-change.ts'
import { createSourceState, type SourceStateDeps } from './source-state.ts'
import { type SourceUser } from '../core/source-user.ts'
import { type NewStream, type SourceChange } from './sources.schema.ts'
import { type SourceStore } from './sources.store.ts'
import { type UsesElsewhere } from './uses-elsewhere.ts'
import { type VideoFolder } from './video-upload.ts'

export interface SourceDeps {
  readonly store: Pick<SourceStore, 'find' | 'list' | 'listByIds' | 'usedBytes'>
  readonly registry: Pick<SourceRegistry, 'insert' | 'remove'>
  readonly paths: Pick<SourcePaths, 'mediaPathOf'>
  readonly dials: Pick<DialCheck, 'checkBroker'>
  readonly changeSource: ChangeSource
  readonly tokens: Pick<SourceTokenStore, 'list'>
  readonly videos: Pick<VideoFolder, 'removeEmptyFolder'>
  readonly streams: SourceStateDeps['streams'] & Pick<Streams, 'expel'>
  readonly directory: Pick<SourceDirectory, 'find' | 'list' | 'aliasOf' | 'hasTelemetry'>
  /** Of all models. */
  readonly knownClasses: () => ReadonlySet<string>
  /** The sources on these paths have changed. */
  readonly refresh: (...paths: readonly (string | null)[]) => Promise<void>
  readonly recordings: SourceStateDeps['recordings']
  readonly elsewhere: () => UsesElsewhere
  readonly clock: Clock
}

export type SourceService = ReturnType<typeof createSourceService>

export function createSourceService(deps: SourceDeps) {
  const { store, registry, paths, dials, tokens, videos, streams, directory, knownClasses, refresh, elsewhere, clock } =
    deps
  const users: SourceUser[] = []
  const state = createSourceState({ ...deps, users })
  const processesOf = (sourceId: string) => users.flatMap((user) => user.processesOf(sourceId))
  const isProcessed = (sourceId: string) => processesOf(sourceId).length > 0
  const listWithOldTelemetry = (sourceId: string) => users.flatMap((user) => user.withOldTelemetry(sourceId))
  const isProcessedAnywhere = async (sourceId: string) => isProcessed(sourceId) || (await elsewhere().isUsed(sourceId))

  async function find(account: Pick<Account, 'id'>, sourceId: string): Promise<Source> {
    const source = await store.find(account.id, sourceId)
    if (!source) throw new AppError('source-not-found', { source_uuid: sourceId })
    return source
  }

  /** Clients that publish or read by a token of this source are disconnected. */
  async function removeWithTokens(source: Source, isUsed?: () => Promise<boolean>): Promise<void> {
    const issued = await tokens.list(source.id)
    await registry.remove(source, isUsed).catch(async (error: unknown) => {
      // A database that goes away does not say whether it is removed.
      if (!(error instanceof AppError)) await refresh(source.mediaPath)
      throw error
    })
    for (const { id } of issued) streams.expel(tokenPrincipal(id))
    await refresh(source.mediaPath)
  }

  return {
    find,

    /** From now on it is asked which sources it uses: such a source is not removed. */
    addUser: (user: SourceUser): void => void users.push(user),

    async registerStream(account: Account, stream: NewStream): Promise<Registered> {
      checkNoMask(stream)
      const recording = chooseRecording(recordedAlways, stream, knownClasses())
      const mediaPath = await paths.mediaPathOf(account, stream.input_url)
      await dials.checkBroker(account, stream.telemetry_cfg)
      const described = {
        alias: stream.alias,
        inputUrl: stream.input_url,
        streamType: stream.stream_type,
        telemetryCfg: stream.telemetry_cfg ?? null,
      }
      const registered = await registry.insert(account, {
        ...described,
        id: orderedUuid(),
        accountId: account.id,
        type: 'stream',
        mediaPath,
        isPulled: mediaPath === null,
        ...recording,
        sizeBytes: 0,
        video: null,
        fingerprint: streamFingerprint(described),
        createdAt: clock.now(),
        contentSha256: null,
        file: null,
      })
      // Also of one that is known: its first registration may have failed after it was stored.
      await refresh(registered.source.mediaPath)
      return registered
    },

    /** Answers also which processes do not know of its telemetry. */
    async change(
      account: Account,
      sourceId: string,
      change: SourceChange,
    ): Promise<{ source: Source; needsRelaunch: readonly string[] }> {
      const before = await find(account, sourceId)
      const source = await deps.changeSource(account, before, change, () => isProcessed(sourceId))
      if (source.inputUrl !== before.inputUrl) for (const user of users) user.onAddressChange(sourceId, source.inputUrl)
      const others = await elsewhere().listWithOldTelemetry(sourceId)
      return { source, needsRelaunch: [...listWithOldTelemetry(sourceId), ...others] }
    },

    list: (account: Account, page: PageRequest): Promise<Page<Source>> => store.list(account.id, page),

    /** Whosever they are. */
    listByIds: (ids: readonly string[]): Promise<Source[]> => store.listByIds(ids),

    usedBytes: (account: Account): Promise<number> => store.usedBytes(account.id),

    /** Its recordings stay until their retention; its file goes with the last source that has it. */
    async remove(account: Account, sourceId: string): Promise<void> {
      const source = await find(account, sourceId)
      await removeWithTokens(source, () => isProcessedAnywhere(sourceId))
    },

    /** The account is gone, and wants nothing kept. */
    async removeAllOf(accountId: string): Promise<void> {
      for (;;) {
        const { items } = await store.list(accountId, { limit: 100 })
        if (items.length === 0) return videos.removeEmptyFolder(accountId)
        for (const source of items) await removeWithTokens(source)
      }
    },

    /** By a process of this node. */
    isProcessed,
    useOf: state.useOf,
    /** Processes of this node that work with telemetry that it had before. */
    listWithOldTelemetry,
    /** It is so now, wherever it was changed. */
    onChanged({ id, inputUrl }: Pick<Source, 'id' | 'inputUrl'>): void {
      for (const user of users) user.onAddressChange(id, inputUrl)
    },
    aliasOf: (sourceId: string) => directory.aliasOf(sourceId),
    hasTelemetry: (sourceId: string, cfg: TelemetryCfg | null) => directory.hasTelemetry(sourceId, cfg),

    streamProblemOf(sourceId: string): string | null {
      const source = directory.find(sourceId)
      return source ? state.streamProblemOf(source) : null
    },
    healthOf: state.healthOf,
    statesOf: (sources: readonly Source[]) => state.statesOf(sources),
  }
}
