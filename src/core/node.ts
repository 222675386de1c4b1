/** The name of one machine of a service of several. */
export type NodeId = string

/** A node, as all know it from the database. */
export interface ClusterNode {
  readonly id: NodeId
  /** Raised whenever it joins, leaves, or is declared dead: what was given to an earlier one is not this one's. */
  readonly epoch: number
  readonly isAlive: boolean
  /** It is given nothing more. */
  readonly isDraining: boolean
  /** How other nodes reach its RTSP server; null where they cannot. */
  readonly rtspUrl: string | null
  readonly labels: readonly string[]
  /** As it measured it at its last renewal; null before that. */
  readonly load: NodeLoad | null
  readonly version: string
  readonly schemaVersion: string
  readonly startedAt: number
}

/** What a node has to do, as it measures it itself. */
export interface NodeLoad {
  readonly cores: number
  readonly freeCores: number
  /** How many more streams fit; null while nobody knows. */
  readonly room: number | null
  /** Those that went on when this was measured. */
  readonly processes: number
}

/**
 * This node was declared dead, or its name was taken: its work is another's by now. Nothing that it still does may reach the
 * database or anybody else; it can only start anew.
 */
export class NodeExpelled extends Error {
  constructor(nodeId: NodeId, options?: ErrorOptions) {
    super(`The node ${nodeId} is not part of the service any more: it was declared dead, or joined anew.`, options)
    this.name = 'NodeExpelled'
  }
}
