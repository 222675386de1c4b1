import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { type Log } from '../observe/log.ts'
import { type ImportanceMarkStore, type Mark, type MarkedPath } from './importance-marks.store.ts'
import { addStretch, joinAll, type JoinedStretches } from './joined-stretches.ts'

/**
 * Marks the files of recordings in which something was tracked, or that an alert is about, whichever node has them. What this node's
 * processes see is gathered in memory and written every few seconds.
 */
export interface ImportanceMarks {
  /** What a kill has lost of recordings that go unless they are marked. */
  restore(): Promise<void>
  start(): void
  flush(): Promise<void>
  /** Resolves when what was seen last is written, or cannot be. */
  close(): Promise<void>
}

export interface ImportanceMarksDeps {
  readonly store: ImportanceMarkStore
  readonly bus: Pick<Bus<AppEvents>, 'on'>
  readonly clock: Clock
  readonly log: Log
}

/** Before and after. */
const MARGIN_MS = 10_000
const FLUSH_EVERY_MS = 10_000
/** A file may be listed so late: what ends is marked again until then, and what goes on from then on. */
const SETTLED_MS = 30_000
/** Whatever a camera's clock says, nothing is marked for longer ahead. */
const MAX_AHEAD_MS = 15 * 60_000
const MAX_SOURCES = 1_000

/** What happened at a source, and is not known to be marked. */
interface Pending {
  readonly tracks: Map<string, JoinedStretches>
  alerts: JoinedStretches
}

export function createImportanceMarks({ store, bus, clock, log }: ImportanceMarksDeps): ImportanceMarks {
  const sources = new Map<string, Pending>()
  const closing = new AbortController()
  let looping: Promise<void> | undefined
  let isFull = false

  function pendingOf(sourceId: string): Pending | undefined {
    const known = sources.get(sourceId)
    if (known) return known
    if (sources.size >= MAX_SOURCES) {
      if (!isFull) log.error('what is seen of too many sources cannot be written: some recordings are not marked')
      isFull = true
      return undefined
    }
    const pending = { tracks: new Map<string, JoinedStretches>(), alerts: [] }
    sources.set(sourceId, pending)
    return pending
  }

  function noteSeen(sourceId: string, className: string, seen: Stretch): void {
    const tracks = pendingOf(sourceId)?.tracks
    tracks?.set(className, addStretch(tracks.get(className) ?? [], withMargin(seen)))
  }

  function noteAlert(sourceId: string, about: Stretch): void {
    const pending = pendingOf(sourceId)
    if (pending) pending.alerts = addStretch(pending.alerts, withMargin(about))
  }

  /** In whole milliseconds, as columns have them: by a sender's clock pictures are taken between those. */
  function withMargin({ from, to }: Stretch): Stretch {
    const latest = clock.now() + MAX_AHEAD_MS
    return {
      from: Math.floor(Math.min(from, to, latest)) - MARGIN_MS,
      to: Math.ceil(Math.min(to, latest)) + MARGIN_MS,
    }
  }

  const unsubscribe = [
    bus.on('scene', ({ process, scene: { tracks, takenAtMs } }) => {
      for (const className of new Set(tracks.map((track) => track.className)))
        noteSeen(process.sourceId, className, { from: takenAtMs, to: takenAtMs })
    }),
    bus.on('alert-event', ({ sourceId, startedAtMs, atMs }) => noteAlert(sourceId, { from: startedAtMs, to: atMs })),
  ]

  async function flush(): Promise<void> {
    // In the same order on every node, so that no two wait for each other.
    const taken = [...sources].map(([sourceId, pending]) => ({ sourceId, ...copyOf(pending) })).sort(bySourceId)
    if (taken.length === 0) return
    const now = clock.now()
    const paths = await store.findPaths(taken.map(({ sourceId }) => sourceId))
    await store.mark(
      taken.flatMap(({ sourceId, ...pending }) => {
        const path = paths.get(sourceId)
        return path ? marksOf(pending, path) : []
      }),
    )
    for (const { sourceId, ...written } of taken) {
      const pending = sources.get(sourceId)!
      forgetWritten(pending, written, paths.has(sourceId) ? now - SETTLED_MS : Infinity)
      if (pending.tracks.size === 0 && pending.alerts.length === 0) sources.delete(sourceId)
    }
    isFull = sources.size >= MAX_SOURCES
  }

  async function loop(): Promise<void> {
    let isFailing = false
    while (!closing.signal.aborted) {
      await clock.sleep(FLUSH_EVERY_MS, closing.signal)
      const failure = await flush().then(
        () => undefined,
        (error: unknown) => error ?? true,
      )
      if (failure !== undefined && !isFailing)
        log.warn({ err: failure }, 'recordings could not be marked as important; trying again')
      isFailing = failure !== undefined
    }
  }

  return {
    async restore() {
      for (const rest of await store.listRest()) {
        for await (const { sourceId, className, from, to } of store.listSeen(rest))
          if (className === null) noteAlert(sourceId, { from, to })
          else noteSeen(sourceId, className, { from, to })
        await flush()
      }
    },
    start: () => void (looping ??= loop()),
    flush,
    async close() {
      closing.abort()
      for (const end of unsubscribe) end()
      await looping
      await flush().catch((error: unknown) => log.error({ err: error }, 'what was seen last could not be marked'))
    },
  }
}

const bySourceId = (a: { readonly sourceId: string }, b: { readonly sourceId: string }) =>
  a.sourceId < b.sourceId ? -1 : 1

const copyOf = ({ tracks, alerts }: Pending): Pending => ({ tracks: new Map(tracks), alerts })

function marksOf({ tracks, alerts }: Pending, { sourceIds, classes }: MarkedPath): Mark[] {
  const counting = [...tracks].filter(([className]) => !classes || classes.has(className))
  const seen = joinAll(counting.flatMap(([, stretches]) => stretches))
  return [
    ...seen.map((stretch) => ({ ...stretch, sourceIds, importance: 1 as const })),
    ...alerts.map((stretch) => ({ ...stretch, sourceIds, importance: 2 as const })),
  ]
}

/** What was written is forgotten up to a moment; what came meanwhile stays whole. */
function forgetWritten(pending: Pending, written: Pending, until: number): void {
  for (const [className, stretches] of written.tracks) {
    const left = withoutWritten(pending.tracks.get(className) ?? [], stretches, until)
    if (left.length > 0) pending.tracks.set(className, left)
    else pending.tracks.delete(className)
  }
  pending.alerts = withoutWritten(pending.alerts, written.alerts, until)
}

function withoutWritten(stretches: JoinedStretches, written: JoinedStretches, until: number): JoinedStretches {
  const known = new Set(written)
  return stretches.flatMap((one) => {
    if (!known.has(one)) return [one]
    return one.to <= until ? [] : [{ from: Math.max(one.from, until), to: one.to }]
  })
}
