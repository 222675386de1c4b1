import { type Clock } from '../core/clock.ts'
import { type JobStore } from '../storage/jobs.store.ts'
import { type AddJob } from './clips.store.ts'

export const CUT_JOB = 'clip-cut'

export interface CutPayload {
  readonly clipId: string
}

/** So long after a moment it is in the file, also where the camera's pictures take a while. */
const WRITTEN_AFTER_MS = 3_000
/** The same of what was seen in it. */
const SEEN_AFTER_MS = 12_000
/** In which users' clips go before those of links, which are made for somebody who waits, but can be made again. */
const LINKS_AFTER_MS = 1_000

/** Adds the job of a clip, on the node that is to cut it: once all of it is written. */
export function clipJobAdder(jobStore: Pick<JobStore, 'add'>, clock: Pick<Clock, 'now'>): AddJob {
  return (clip, tx) => {
    const now = clock.now()
    const payload: CutPayload = { clipId: clip.id }
    const runAt = Math.max(
      now + (clip.kind === 'link' ? LINKS_AFTER_MS : 0),
      clip.to + (clip.withBoxes ? SEEN_AFTER_MS : WRITTEN_AFTER_MS),
    )
    const at = clip.nodeId === null ? {} : { nodeId: clip.nodeId }
    return jobStore.add({ kind: CUT_JOB, payload, runAt, ...at }, now, tx)
  }
}
