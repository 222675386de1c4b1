import { type Clock } from '../core/clock.ts'
import { dropOldest } from '../core/drop-oldest.ts'
import { type NodeId } from '../core/node.ts'
import { type ProcessPlaceStore, type WrittenPlace } from './process-places.store.ts'

/** Where a request about a process is answered: here, at another node, or nowhere until it was given to one. */
export type ProcessPlace = 'here' | 'nowhere' | { readonly nodeId: NodeId }

export interface ProcessPlaces {
  find(processId: string): Promise<ProcessPlace>
}

export interface ProcessPlacesDeps {
  readonly store: ProcessPlaceStore
  readonly nodeId: NodeId
  /** It runs here: nobody else has to be asked. */
  readonly isHere: (processId: string) => boolean
  readonly clock: Pick<Clock, 'steady'>
}

/** A client that asks ten times a second makes one look-up of it. */
const KEEP_MS = 1_000
const MAX_KEPT = 10_000
/** Of anything else there is no process. */
const PROCESS_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface Kept {
  readonly place: Promise<ProcessPlace>
  readonly sinceMs: number
}

export function createProcessPlaces({ store, nodeId, isHere, clock }: ProcessPlacesDeps): ProcessPlaces {
  const kept = new Map<string, Kept>()

  function toPlace(written: WrittenPlace | undefined): ProcessPlace {
    if (!written?.nodeId || (written.isThere && written.nodeId === nodeId)) return 'here'
    if (written.isThere) return { nodeId: written.nodeId }
    // Of one that has ended, everything but its files can be had here.
    return written.isLive ? 'nowhere' : 'here'
  }

  function lookUp(processId: string): Promise<ProcessPlace> {
    const place = store.find(processId).then(toPlace)
    // What failed is no answer to the next one.
    place.catch(() => kept.delete(processId))
    kept.delete(processId)
    kept.set(processId, { place, sinceMs: clock.steady() })
    dropOldest(kept, MAX_KEPT)
    return place
  }

  return {
    async find(processId) {
      if (isHere(processId) || !PROCESS_ID.test(processId)) return 'here'
      const id = processId.toLowerCase()
      const known = kept.get(id)
      return known && clock.steady() - known.sinceMs < KEEP_MS ? known.place : lookUp(id)
    },
  }
}
