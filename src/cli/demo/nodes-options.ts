import { toNumberWithin, UsageError } from '../command.ts'

/** What `aerie demo` takes. */
export const demoArguments = {
  nodes: { type: 'string' },
  kill: { type: 'boolean' },
  'kill-after': { type: 'string' },
} as const

export interface DemoArguments {
  readonly nodes?: string | undefined
  readonly kill?: boolean | undefined
  readonly 'kill-after'?: string | undefined
}

export interface NodesOptions {
  readonly count: number
  /** After which the node that has the process is killed; undefined where none is. */
  readonly killAfterMs: number | undefined
}

/** One for the camera, one for the process, one for the console. */
export const MIN_NODES = 3
/** PostgreSQL takes 100 connections as it is installed, and a node needs about 12. */
export const MAX_NODES = 8
const DEFAULT_KILL_AFTER_SECONDS = 60
const MAX_KILL_AFTER_SECONDS = 3_600

/** Undefined for the demo of one node. */
export function toNodesOptions(given: DemoArguments): NodesOptions | undefined {
  const killAfter = given['kill-after']
  const isKilling = given.kill === true || killAfter !== undefined
  if (given.nodes === undefined) {
    if (isKilling) throw new UsageError(`nobody could go on after a kill: add --nodes ${MIN_NODES}`)
    return undefined
  }
  const count = toNumberWithin(given.nodes, '--nodes', MIN_NODES, MAX_NODES)
  if (!Number.isInteger(count)) throw new UsageError('--nodes must be a whole number')
  const seconds =
    killAfter === undefined
      ? DEFAULT_KILL_AFTER_SECONDS
      : toNumberWithin(killAfter, '--kill-after', 0, MAX_KILL_AFTER_SECONDS)
  return { count, killAfterMs: isKilling ? seconds * 1000 : undefined }
}
