import { type LivePublisher } from '../core/live-publishing.ts'

/** What processes have to do with other nodes. */
export interface ProcessCluster extends Pick<LivePublisher, 'publishScene'> {
  /** This one is begun here. Returns what to call when nothing came of it. */
  readonly expect: (processId: string) => () => void
  /** The node on which one of this source begins: it has all these labels. */
  readonly chooseNode: (sourceId: string, labels: readonly string[]) => Promise<string>
  /** Whether nobody else can be working on our processes. */
  readonly isWithinLease: () => boolean
  /** Calls at each change of that. */
  readonly onLeaseChange: (listener: (isWithin: boolean) => void) => unknown
}
