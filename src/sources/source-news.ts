import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Clock } from '../core/clock.ts'
import { type NodeExchange, type Topic } from '../core/node-exchange.ts'
import { type Log } from '../observe/log.ts'
import { type SourceDirectory } from './source-directory.ts'
import { type ListedSource } from './source.ts'
import { type SourceStore } from './sources.store.ts'

/** A source was registered, changed or removed, and these are the paths that it had and has. */
export interface ChangedSource {
  readonly sourceId: string
  readonly paths: readonly string[]
}

/**
 * What is registered, changed or removed at one node is so at all: it publishes that, and all look at the database once in a while in case
 * it was lost. Each has the path of a source recorded, or its camera called, if that is its own.
 */
export interface SourceNews {
  publish(changed: ChangedSource): void
  start(): void
  /** Resolves when what is being handled has ended. */
  close(): Promise<void>
}

export interface SourceNewsDeps {
  readonly exchange: Pick<NodeExchange, 'publish' | 'subscribe'>
  readonly store: Pick<SourceStore, 'findById' | 'listNames'>
  readonly directory: Pick<SourceDirectory, 'set' | 'remove' | 'find' | 'list'>
  /** Paths that are live here, and those of cameras that are called from here. */
  readonly listOwnPaths: () => readonly string[]
  readonly refresh: (...paths: readonly string[]) => Promise<void>
  /** As it is now. */
  readonly onChanged: (source: ListedSource) => void
  readonly clock: Clock
  readonly log: Log
}

const LOOK_EVERY_MS = 60_000
const TRY_AGAIN_MS = 2_000
/** What is too much is found by looking. */
const MAX_PENDING = 10_000

const changed: Topic<ChangedSource> = {
  name: 'source-changed',
  schema: z.object({ sourceId: z.uuid(), paths: z.array(z.string().max(200)).max(2) }),
}

export function createSourceNews(deps: SourceNewsDeps): SourceNews {
  const { exchange, store, directory, listOwnPaths, refresh, onChanged, clock, log } = deps
  const closing = new AbortController()
  let waking = new AbortController()
  let pending: ChangedSource[] = []
  let lookAt = clock.steady()
  let isFailing = false
  let running: Promise<void> | undefined

  exchange.subscribe(
    changed,
    (one) => {
      if (pending.length < MAX_PENDING) pending.push(one)
      waking.abort()
    },
    () => {
      lookAt = Math.min(lookAt, soon())
      waking.abort()
    },
  )

  /** As if it had last been looked so long ago: once in a while, however often something is lost or fails. */
  const soon = () => clock.steady() - LOOK_EVERY_MS + TRY_AGAIN_MS

  async function take({ sourceId, paths }: ChangedSource): Promise<void> {
    const source = await store.findById(sourceId)
    if (source) directory.set(source)
    else directory.remove(sourceId)
    if (source) onChanged(source)
    await refresh(...paths)
  }

  async function look(): Promise<void> {
    const before = directory.list()
    const names = await store.listNames()
    const known = new Set(names.map(({ id }) => id))
    for (const name of names) {
      const isSame = isDeepStrictEqual(name, directory.find(name.id))
      directory.set(name)
      if (!isSame) onChanged(name)
    }
    // What was registered while we read is not among them, and was not there before.
    for (const { id } of before) if (!known.has(id)) directory.remove(id)
    await refresh(...listOwnPaths())
  }

  async function work(): Promise<void> {
    const now = pending
    pending = []
    for (const one of now) await take(one)
    if (clock.steady() - lookAt < LOOK_EVERY_MS) return
    lookAt = clock.steady()
    await look()
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      // Made before working, so that being woken meanwhile is not lost.
      waking = new AbortController()
      await work().then(
        () => void (isFailing = false),
        (error: unknown) => {
          if (!isFailing) log.warn({ err: error }, 'what changed at other nodes could not be read; looking again')
          isFailing = true
          // What was published is found by looking.
          lookAt = soon()
        },
      )
      if (pending.length > 0 || closing.signal.aborted) continue
      await clock.sleep(Math.max(0, lookAt + LOOK_EVERY_MS - clock.steady()), waking.signal)
    }
  }

  return {
    publish: (one) => exchange.publish(changed, one),
    start: () => void (running ??= run()),
    async close() {
      closing.abort()
      waking.abort()
      await running
    },
  }
}
