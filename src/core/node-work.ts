import { AppError } from './errors.ts'
import { type TakenCameras, type TakenProcesses } from './taken-processes.ts'
import { createTurns } from './turns.ts'

/** What a feature does with the processes and cameras that a service takes up or hands over. Each step touches only those. */
export interface WorkSteps {
  /** Before the processes come back: takes up what is left of them, ahead of anything new. */
  restoreProcesses?(taken: TakenProcesses): Promise<void>
  /** They come back; and, in the features behind, what follows for those that did and for those that did not. */
  takeUpProcesses?(taken: TakenProcesses): Promise<void>
  takeUpCameras?(taken: TakenCameras): Promise<void>
  releaseCameras?(sourceIds: readonly string[]): Promise<void>
  /** Ends the worker of a process, and leaves the process as it is; false when it stays. The feature that runs processes has it. */
  leaveProcess?(processId: string): Promise<boolean>
  /** Forgets processes that were left; resolves when all that it has of them is on disk, where another service takes it up. */
  handOverProcesses?(processIds: readonly string[]): Promise<void>
  /** The process is elsewhere: clients that are here for its sake are to connect again. */
  dismissClients?(processId: string): void
}

/** The processes and cameras of a service as they come and go: one step after the other through all features, and never two at once. */
export interface NodeWork {
  /** May be repeated when it failed. None of them may run anywhere else. */
  takeUp(taken: TakenProcesses): Promise<void>
  takeUpCameras(taken: TakenCameras): Promise<void>
  releaseCameras(sourceIds: readonly string[]): Promise<void>
  /**
   * Hands a process over with all that belongs to it: `reassign` writes whose it is from now on, and is called when nothing of it is left
   * here. False when it stays: it has ended, or nobody else could go on with it. Should anything fail, it goes on here.
   */
  handOver(processId: string, reassign: () => Promise<void>): Promise<boolean>
  /** Nothing comes or goes from now on. */
  close(): void
}

/** `features` in the order in which they are started: each is made of those before it, and so hands over before them. */
export function createNodeWork(features: readonly WorkSteps[]): NodeWork {
  const backwards = features.toReversed()
  const turns = createTurns()
  let isClosed = false

  const inTurn = <T>(act: () => Promise<T>) =>
    turns.take('work', () => {
      if (isClosed) throw new AppError('shutting-down')
      return act()
    })

  async function takeUp(taken: TakenProcesses): Promise<void> {
    for (const feature of features) await feature.restoreProcesses?.(taken)
    for (const feature of features) await feature.takeUpProcesses?.(taken)
  }

  async function leave(processId: string): Promise<boolean> {
    for (const feature of backwards) if (await feature.leaveProcess?.(processId)) return true
    return false
  }

  async function handOver(processId: string, reassign: () => Promise<void>): Promise<boolean> {
    if (!(await leave(processId))) return false
    try {
      for (const feature of backwards) await feature.handOverProcesses?.([processId])
      await reassign()
    } catch (error) {
      await takeUp({ ids: [processId] })
      throw error
    }
    for (const feature of backwards) feature.dismissClients?.(processId)
    return true
  }

  return {
    takeUp: (taken) => inTurn(() => takeUp(taken)),
    takeUpCameras: (taken) =>
      inTurn(async () => {
        for (const feature of features) await feature.takeUpCameras?.(taken)
      }),
    releaseCameras: (sourceIds) =>
      inTurn(async () => {
        for (const feature of backwards) await feature.releaseCameras?.(sourceIds)
      }),
    handOver: (processId, reassign) => inTurn(() => handOver(processId, reassign)),
    close: () => void (isClosed = true),
  }
}
