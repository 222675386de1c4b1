import { type Clock } from '../core/clock.ts'
import { type ProcessStateChange } from '../core/events.ts'
import { type ProcessState } from '../core/process-facts.ts'
import { type Log } from '../observe/log.ts'
import { type ProcessStateChangeRow } from '../storage/schema.ts'
import { type ProcessStateStore } from './process-states.store.ts'

/** Writes down which states processes come into: of a process that changes often, at most one in a second. */
export interface ProcessStates {
  onChange(change: ProcessStateChange): void
  start(): void
  /** Resolves when the last ones are written, or cannot be. */
  close(): Promise<void>
}

export interface ProcessStatesDeps {
  readonly store: Pick<ProcessStateStore, 'put'>
  readonly clock: Clock
  readonly log: Log
}

const WRITE_EVERY_MS = 1_000
/** That wait while the database is away; of more the oldest are lost. */
const MAX_WAITING = 1_000

export function createProcessStates({ store, clock, log }: ProcessStatesDeps): ProcessStates {
  let waiting: ProcessStateChangeRow[] = []
  const closing = new AbortController()
  let looping: Promise<void> | undefined
  let isFailing = false

  async function write(): Promise<void> {
    const taken = waiting
    if (taken.length === 0) return
    waiting = []
    try {
      await store.put(taken)
      isFailing = false
    } catch (error) {
      waiting = [...taken, ...waiting].slice(-MAX_WAITING)
      if (!isFailing) log.warn({ err: error }, 'states of processes could not be written; trying again')
      isFailing = true
    }
  }

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(WRITE_EVERY_MS, closing.signal)
      await write()
    }
  }

  return {
    onChange({ processId, accountId, sourceId, state, reason }) {
      const at = clock.now()
      const isRecent = (row: ProcessStateChangeRow) => row.process_id === processId && at - row.at < WRITE_EVERY_MS
      const ids = { process_id: processId, account_id: accountId, source_id: sourceId }
      waiting = waiting.filter((row) => !isRecent(row))
      waiting.push({ ...ids, at, state: state as ProcessState, reason })
      if (waiting.length > MAX_WAITING) waiting.shift()
    },
    start: () => void (looping ??= loop()),
    async close() {
      closing.abort()
      await looping
      await write()
    },
  }
}
