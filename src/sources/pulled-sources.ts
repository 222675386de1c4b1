import { type Account } from '../core/account.ts'
import { MAX_STREAM_SILENCE_MS } from '../core/stream-silence.ts'
import { createTurns } from '../core/turns.ts'
import { type Log } from '../observe/log.ts'
import { type OutboundRules } from '../outbound/rules.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type Source } from './source.ts'
import { type SourceRegistry } from './source-registry.ts'
import { type SourceStore } from './sources.store.ts'

export interface PulledSourceDeps {
  readonly store: Pick<SourceStore, 'findByMediaPath' | 'listPulled'>
  readonly registry: Pick<SourceRegistry, 'change'>
  readonly streams: Pick<Streams, 'pulledPaths'>
  /** What may be dialled for this account. */
  readonly rulesOf: (accountId: string) => Promise<OutboundRules>
  /** Throws when its key is gone or expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  readonly log: Log
}

/** Has the media server call the cameras that are registered. */
export interface PulledSources {
  /** Once the media server listens. */
  start(): Promise<void>
  /** The sources on this path have changed. */
  refresh(path: string): Promise<void>
  /** The account's key is gone: none of its cameras is called any more. */
  removeAllOf(accountId: string): Promise<void>
}

export function createPulledSources(deps: PulledSourceDeps): PulledSources {
  const { store, registry, streams, rulesOf, findAccount, log } = deps
  const { pulledPaths } = streams
  /** What was read first must not be written last. */
  const turns = createTurns()

  const refresh = (path: string) => turns.take(path, () => readAndSet(path))

  async function readAndSet(path: string): Promise<void> {
    const sources = (await store.findByMediaPath(path)).filter(({ isPulled }) => isPulled)
    const [first] = sources
    if (!first) return pulledPaths.remove(path)
    const { accountId, inputUrl } = first
    const mode = sources.some(({ record }) => record) ? 'always' : 'on-demand'
    const outbound = await rulesOf(accountId)
    pulledPaths.set(path, { accountId, url: inputUrl, outbound, mode, silenceMs: MAX_STREAM_SILENCE_MS })
  }

  /** One that was registered before cameras had paths. */
  async function place(source: Source): Promise<Source> {
    if (source.mediaPath !== null) return source
    const account = await findAccount(source.accountId)
    return (await registry.change(account, source.id, (unplaced) => unplaced)).source
  }

  return {
    refresh,
    async start() {
      const paths = new Set<string>()
      for (const source of await store.listPulled()) {
        // Of an account whose key is gone or expired no camera is called; one that cannot be placed does not stop the others.
        await place(source).then(
          ({ mediaPath }) => paths.add(mediaPath!),
          (error: unknown) => log.warn({ err: error, source: source.id }, 'a camera is not called'),
        )
      }
      for (const path of paths) await refresh(path)
    },
    async removeAllOf(accountId) {
      for (const { mediaPath } of await store.listPulled(accountId))
        if (mediaPath !== null) await turns.take(mediaPath, async () => pulledPaths.remove(mediaPath))
    },
  }
}
