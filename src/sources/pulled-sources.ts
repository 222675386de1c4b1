import { setMaxListeners } from 'node:events'
import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { isRecorded } from '../core/recording-mode.ts'
import { MAX_STREAM_SILENCE_MS } from '../core/stream-silence.ts'
import { type TakenCameras } from '../core/taken-processes.ts'
import { createTurns } from '../core/turns.ts'
import { type Log } from '../observe/log.ts'
import { type OutboundRules } from '../outbound/rules.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type Source } from './source.ts'
import { type SourceRegistry } from './source-registry.ts'
import { type SourceStore } from './sources.store.ts'

export interface PulledSourceDeps {
  readonly store: Pick<SourceStore, 'listCamerasAt' | 'listPulled' | 'listTakenCameras'>
  readonly registry: Pick<SourceRegistry, 'change'>
  readonly streams: { readonly pulledPaths: Pick<Streams['pulledPaths'], 'set' | 'remove'> }
  /** What may be dialled for this account. */
  readonly rulesOf: (accountId: string) => Promise<OutboundRules>
  /** Throws when its key is gone or expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  readonly clock: Clock
  readonly log: Log
}

/** Has the media server call the cameras that are registered. */
export interface PulledSources {
  /** These are called from now on; once the media server listens. */
  takeUp(taken: TakenCameras): Promise<void>
  /** These are called by another node from now on. */
  release(sourceIds: readonly string[]): Promise<void>
  /** The sources on this path have changed. Never rejects, but tries again. */
  refresh(path: string): Promise<void>
  /** The account's key is gone: none of its cameras is called any more. */
  removeAllOf(accountId: string): Promise<void>
  /** Ends the retries. */
  close(): Promise<void>
}

const TRY_AGAIN_MS = 2_000

export function createPulledSources(deps: PulledSourceDeps): PulledSources {
  const { store, registry, streams, rulesOf, findAccount, clock, log } = deps
  const { pulledPaths } = streams
  /** What was read first must not be written last. */
  const turns = createTurns()

  const closing = new AbortController()
  // Every path that waits sleeps on it, which is no leak (and Node would warn from the eleventh on).
  setMaxListeners(0, closing.signal)

  function refresh(path: string): Promise<void> {
    return turns.take(path, () => readAndSet(path)).catch((error: unknown) => tryAgain(path, error))
  }

  function tryAgain(path: string, error: unknown): void {
    log.error({ err: error, path }, 'it could not be read whether a camera is to be called; trying again')
    void clock.sleep(TRY_AGAIN_MS, closing.signal).then(() => (closing.signal.aborted ? undefined : refresh(path)))
  }

  async function readAndSet(path: string): Promise<void> {
    const sources = await store.listCamerasAt(path)
    const [first] = sources
    if (!first) return pulledPaths.remove(path)
    const { accountId, inputUrl } = first
    const mode = sources.some(isRecorded) ? 'always' : 'on-demand'
    const outbound = await rulesOf(accountId)
    pulledPaths.set(path, { accountId, url: inputUrl, outbound, mode, silenceMs: MAX_STREAM_SILENCE_MS })
  }

  /** One that was registered before cameras had paths. */
  async function place(source: Source): Promise<Source> {
    if (source.mediaPath !== null) return source
    const account = await findAccount(source.accountId)
    return (await registry.change(account, source.id, (unplaced) => unplaced)).source
  }

  const remove = (path: string) => turns.take(path, async () => pulledPaths.remove(path))

  return {
    refresh,
    async takeUp({ sourceIds }) {
      const paths = new Set<string>()
      for (const source of await store.listTakenCameras(sourceIds)) {
        // Of an account whose key is gone or expired no camera is called; one that cannot be placed does not stop the others.
        await place(source).then(
          ({ mediaPath }) => paths.add(mediaPath!),
          (error: unknown) => log.warn({ err: error, source: source.id }, 'a camera is not called'),
        )
      }
      for (const path of paths) await refresh(path)
    },
    async removeAllOf(accountId) {
      for (const { mediaPath } of await store.listPulled(accountId)) if (mediaPath !== null) await remove(mediaPath)
    },
    async release(sourceIds) {
      for (const { mediaPath } of await store.listTakenCameras(sourceIds))
        if (mediaPath !== null) await remove(mediaPath)
    },
    close: async () => closing.abort(),
  }
}
