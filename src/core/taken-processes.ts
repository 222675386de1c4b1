/** Ids of what a service takes up: a service that is alone takes all, a node of a cluster what it is given. */
export type TakenIds = 'all' | readonly string[]

/**
 * The processes that a service takes up, at its start or while it runs: those that ran elsewhere until now, and those that have ended
 * and of which something is left to be done, as messages that wait. Nothing of any other process is touched.
 */
export interface TakenProcesses {
  readonly ids: TakenIds
}

/** The cameras that a service calls from now on. */
export interface TakenCameras {
  readonly sourceIds: TakenIds
}

/** Whether an id is among those that are taken up. */
export function isTaken(ids: TakenIds): (id: string) => boolean {
  if (ids === 'all') return () => true
  const taken = new Set(ids)
  return (id) => taken.has(id)
}
