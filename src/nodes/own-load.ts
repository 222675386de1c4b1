import { type NodeLoad } from '../core/node.ts'
import { rounded } from '../core/numbers.ts'

export interface OwnLoadDeps {
  readonly capacity: {
    readonly cores: number
    readonly freeCores: number
    roomFor(model: string): number | null
  }
  /** Undefined before it has measured. */
  readonly usage: { readonly machine: { readonly usedCores: number | null } }
  readonly defaultModel: string
  /** Processes that go on here. */
  readonly countProcesses: () => number
}

/** What this machine has to do; null until that is measured. */
export function createOwnLoad({ capacity, usage, defaultModel, countProcesses }: OwnLoadDeps): () => NodeLoad | null {
  return () =>
    usage.machine.usedCores === null
      ? null
      : {
          cores: capacity.cores,
          freeCores: rounded(capacity.freeCores, 2),
          room: capacity.roomFor(defaultModel),
          processes: countProcesses(),
        }
}
