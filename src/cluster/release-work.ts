import { type Clock } from '../core/clock.ts'
import { type ClusterNode, NodeExpelled } from '../core/node.ts'
import { type NodeWork } from '../core/node-work.ts'
import { type Log } from '../observe/log.ts'
import { type DrainingStore, type MovableProcess, type Whereabouts } from './draining.store.ts'
import { type PlacedWork } from './placed-work.ts'

export interface WorkReleaseDeps {
  readonly store: Pick<DrainingStore, 'releaseProcess' | 'releaseCameras' | 'findProcess' | 'findCamera'>
  readonly node: Pick<ClusterNode, 'id'>
  readonly work: Pick<NodeWork, 'handOver' | 'releaseCameras'>
  readonly placedWork: Pick<PlacedWork, 'forget'>
  /** Whether this service runs the process now. */
  readonly isHere: (processId: string) => boolean
  /** Something has no node now: a placer may look at once. */
  readonly onReleased: () => void
  readonly clock: Clock
  readonly log: Log
}

/** Both resolve when it is with another node, or will not come there soon. What they reject goes on here. */
export interface WorkRelease {
  process(process: MovableProcess): Promise<void>
  /** All of one address. */
  cameras(sourceIds: readonly string[]): Promise<void>
}

const RETRY_MS = 1_000
const POLL_EVERY_MS = 500
/** Before the next one leaves; its source may be lost just now. */
const MAX_START_MS = 60_000

export function createWorkRelease(deps: WorkReleaseDeps, signal: AbortSignal): WorkRelease {
  const { store, node, work, placedWork, isHere, onReleased, clock, log } = deps

  /** Until it is known that it is written: what goes on here although it was released would run twice. */
  async function release(ids: readonly string[], write: () => Promise<void>): Promise<void> {
    // Whoever closes leaves the service, by which it is released too.
    while (!signal.aborted) {
      try {
        await write()
        for (const id of ids) placedWork.forget(id)
        return
      } catch (error) {
        if (error instanceof NodeExpelled) throw error
        log.warn({ err: error }, 'what was handed over could not be released yet; trying again')
        await clock.sleep(RETRY_MS, signal)
      }
    }
  }

  /** As long as it has no node, nothing else leaves: whatever keeps it waiting would keep the next one too. */
  async function untilThere(id: string, find: () => Promise<Whereabouts | undefined>, mustRun: boolean): Promise<void> {
    let thereSinceMs: number | undefined
    while (!signal.aborted) {
      const place = await find()
      if (!place || place.nodeId === node.id) return
      if (place.nodeId !== null) {
        if (place.isRunning || !mustRun) return log.info({ id, node: place.nodeId }, 'moved to another node')
        thereSinceMs ??= clock.steady()
        if (clock.steady() - thereSinceMs >= MAX_START_MS)
          return log.warn({ id, node: place.nodeId }, 'it was moved to another node, and does not run there yet')
      }
      await clock.sleep(POLL_EVERY_MS, signal)
    }
  }

  return {
    async process({ id, isRunning }) {
      try {
        if (!(await work.handOver(id, () => release([id], () => store.releaseProcess(id))))) return
      } catch (error) {
        // It goes on here, unless that failed too; then it is taken up as if it had been given to this node.
        if (!isHere(id)) placedWork.forget(id)
        throw error
      }
      onReleased()
      await untilThere(id, () => store.findProcess(id), isRunning)
    },

    async cameras(sourceIds) {
      try {
        await work.releaseCameras(sourceIds)
        await release(sourceIds, () => store.releaseCameras(sourceIds))
        // Who changed the source in between has had it called again.
        await work.releaseCameras(sourceIds)
      } catch (error) {
        for (const id of sourceIds) placedWork.forget(id)
        throw error
      }
      onReleased()
      const [first] = sourceIds
      await untilThere(first!, () => store.findCamera(first!), false)
    },
  }
}
