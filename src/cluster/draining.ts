import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type Choice } from './choose-node.ts'
import { type DrainingStore, type MovableProcess } from './draining.store.ts'
import { createWorkRelease, type WorkReleaseDeps } from './release-work.ts'

/** Gives away what this node does while its row says that it is draining: one process at a time, then the cameras that it calls. */
export interface Draining {
  start(): void
  close(): Promise<void>
}

export interface DrainingDeps extends WorkReleaseDeps {
  readonly store: DrainingStore
  /** Which node would get it. */
  readonly choose: (sourceId: string, labels: readonly string[]) => Promise<Choice>
  readonly isWithinLease: () => boolean
  readonly clock: Clock
  readonly log: Log
}

const POLL_EVERY_MS = 2_000

export function createDraining(deps: DrainingDeps): Draining {
  const { store, choose, isWithinLease, clock, log } = deps
  const closing = new AbortController()
  const workRelease = createWorkRelease(deps, closing.signal)
  /** They go last: one that cannot be moved does not keep the others. */
  let failed: readonly string[] = []
  let reported = ''
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    let isFailing = false
    for (;;) {
      await clock.sleep(POLL_EVERY_MS, closing.signal)
      if (closing.signal.aborted) return
      try {
        await poll()
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'the work of this node could not be released; trying again')
        isFailing = true
      }
    }
  }

  const mayGoOn = async () => !closing.signal.aborted && isWithinLease() && (await store.isDraining())

  async function poll(): Promise<void> {
    const objections = new Set<string>()
    if (!(await mayGoOn())) return report('')
    for (const process of inOrder(await store.listProcesses())) {
      if (!(await mayGoOn())) return
      const choice = await choose(process.sourceId, process.labels)
      if ('objection' in choice) objections.add(choice.objection)
      else await moveProcess(process)
    }
    if (await mayGoOn()) await moveCameras(objections)
    report([...objections].sort().join(' '))
  }

  function inOrder(processes: readonly MovableProcess[]): readonly MovableProcess[] {
    failed = failed.filter((id) => processes.some((process) => process.id === id))
    const hasFailed = ({ id }: MovableProcess) => failed.includes(id)
    return [...processes.filter((process) => !hasFailed(process)), ...processes.filter(hasFailed)]
  }

  async function moveProcess(process: MovableProcess): Promise<void> {
    try {
      await workRelease.process(process)
    } catch (error) {
      failed = [...failed.filter((id) => id !== process.id), process.id]
      throw error
    }
  }

  async function moveCameras(objections: Set<string>): Promise<void> {
    for (const sourceIds of await store.listIdleCameras()) {
      if (!(await mayGoOn())) return
      const choice = await choose(sourceIds[0]!, [])
      if ('objection' in choice) return void objections.add(choice.objection)
      await workRelease.cameras(sourceIds)
    }
  }

  function report(objections: string): void {
    if (objections !== '' && objections !== reported)
      log.warn(`this node is draining, and keeps what no other takes: ${objections}`)
    reported = objections
  }

  return {
    start: () => void (running ??= run()),
    async close() {
      closing.abort()
      await running
    },
  }
}
