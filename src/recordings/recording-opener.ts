import { type Clock } from '../core/clock.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type RecordedSource } from './recorded-source.ts'
import { type Recording, type RecordingStore } from './recordings.store.ts'

export interface RecordingOpenerDeps {
  readonly store: Pick<RecordingStore, 'findLast' | 'end' | 'insert'>
  /** A break up to here goes on with the same recording; 0 for none. */
  readonly mergeSeconds: number
  readonly clock: Clock
}

/** The recording to write to from now on: the source's last one after a short break, otherwise a new one. */
export type RecordingOpener = (source: RecordedSource) => Promise<Recording>

export function createRecordingOpener({ store, mergeSeconds, clock }: RecordingOpenerDeps): RecordingOpener {
  async function continueLast(source: RecordedSource): Promise<Recording | undefined> {
    const last = mergeSeconds > 0 ? await store.findLast(source.id) : undefined
    if (!last?.endedAt || clock.now() - last.endedAt > mergeSeconds * 1000) return undefined
    await store.end(last.id, null)
    return { ...last, endedAt: null }
  }

  async function begin({ id: sourceId, accountId, alias }: RecordedSource): Promise<Recording> {
    const recording = { id: orderedUuid(), accountId, sourceId, alias, startedAt: clock.now(), endedAt: null }
    await store.insert(recording)
    return recording
  }

  return async (source) => (await continueLast(source)) ?? begin(source)
}
