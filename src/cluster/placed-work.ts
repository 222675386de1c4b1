import { type Clock } from '../core/clock.ts'
import { type ClusterNode } from '../core/node.ts'
import { isDatabaseAway } from '../core/outages.ts'
import { type Log } from '../observe/log.ts'
import { type OwnWork, type OwnWorkStore } from './own-work.store.ts'

/** Finds what this node was given by polling, since a notification may be lost. */
export interface PlacedWork {
  start(): void
  /** Poll now: something was given. */
  wake(): void
  /** This is begun here, and not given: to be called before it is written. Returns what to call when nothing came of it. */
  expect(id: string): () => void
  /** It is another's from now on, as is written by now; when it comes back, it is given anew. */
  forget(id: string): void
  close(): Promise<void>
}

export interface PlacedWorkDeps {
  readonly store: OwnWorkStore
  readonly node: Pick<ClusterNode, 'id' | 'epoch'>
  /** What was not there before. What it rejects is given again, each by itself where there are several, and later with what came since. */
  readonly onPlaced: (work: OwnWork) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

const POLL_EVERY_MS = 1_000
/** Of what ended long ago the oldest is forgotten: nothing is left of it that could bring it back. */
const MAX_KNOWN = 100_000

export function createPlacedWork({ store, node, onPlaced, clock, log }: PlacedWorkDeps): PlacedWork {
  const closing = new AbortController()
  /** Processes and cameras alike: no id is used twice. */
  const known = new Set<string>()
  /** Since the poll that is under way began: it may have read them as they were before. */
  const released = new Set<string>()
  let sleep = new AbortController()
  let running: Promise<void> | undefined
  let isFailing = false

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      // Made before polling, so that being woken meanwhile is not lost.
      sleep = new AbortController()
      try {
        await poll()
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'what this node was given could not be taken up; trying again')
        isFailing = true
      }
      if (!closing.signal.aborted) await clock.sleep(POLL_EVERY_MS, sleep.signal)
    }
  }

  async function poll(): Promise<void> {
    released.clear()
    const all = await store.list(node)
    const isNew = (id: string) => !known.has(id) && !released.has(id)
    const processes = all.processes.filter(({ id }) => isNew(id))
    const cameraIds = all.cameraIds.filter(isNew)
    if (processes.length + cameraIds.length === 0 || closing.signal.aborted) return
    await take({ processes, cameraIds }).finally(() =>
      forgetOldest(new Set([...all.processes.map(({ id }) => id), ...all.cameraIds])),
    )
  }

  async function take(work: OwnWork): Promise<void> {
    const ids = [...work.processes.map(({ id }) => id), ...work.cameraIds]
    try {
      await onPlaced(work)
      // What was released while the rest was taken up may be given to this node again.
      for (const id of ids) if (!released.has(id)) known.add(id)
    } catch (error) {
      if (ids.length === 1 || isDatabaseAway(error)) throw error
      await takeEach(work)
    }
  }

  /** One that cannot be taken up keeps none of the others. */
  async function takeEach({ processes, cameraIds }: OwnWork): Promise<void> {
    const failures: unknown[] = []
    for (const one of [
      ...cameraIds.map((id) => ({ processes: [], cameraIds: [id] })),
      ...processes.map((process) => ({ processes: [process], cameraIds: [] })),
    ])
      if (!closing.signal.aborted) await take(one).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

  function forgetOldest(kept: ReadonlySet<string>): void {
    for (const id of known) {
      if (known.size <= MAX_KNOWN) return
      if (!kept.has(id)) known.delete(id)
    }
  }

  return {
    start: () => void (running ??= run()),
    wake: () => sleep.abort(),
    expect(id) {
      known.add(id)
      return () => void known.delete(id)
    },
    forget(id) {
      known.delete(id)
      released.add(id)
    },
    async close() {
      closing.abort()
      sleep.abort()
      await running
    },
  }
}
