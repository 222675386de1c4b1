import { type Readable } from 'node:stream'
import { type NodeId } from './node.ts'

/** What other nodes have on their disks. */
export interface NodeFiles {
  /**
   * What a GET of a path of ours answers there; it must be public, by a token in its query. Undefined where that node has no such thing
   * (404). Rejects with `node-unreachable` where the node cannot be reached, or cannot answer now; an answer that breaks off fails the
   * stream.
   */
  open(nodeId: NodeId, path: string, signal: AbortSignal): Promise<Readable | undefined>
}
