/** One machine of a service of several. Its epoch is its right to be connected: see `node-admission.ts`. */
export interface NodeRow {
  id: string
  /** Raised whenever it joins, leaves, or is declared dead; never the same again for the same id. */
  epoch: number
  is_alive: number
  /** By the database's clock. */
  lease_until: number
  /** Which data folder it runs on: nobody else may have its name meanwhile. */
  instance: string
  /** How other nodes reach its RTSP server; null where they cannot. */
  rtsp_url: string | null
  /** A JSON list. */
  labels: string
  /** JSON: `NodeLoad`, of the last renewal; null before it. */
  load: string | null
  /** Of the program. */
  version: string
  /** The tables that it knows. */
  schema_version: string
  /** 1 when it is to be given nothing more. */
  is_draining: number
  started_at: number
}

/** A path of the media server that is live on one of the nodes. */
export interface LivePathRow {
  path: string
  node_id: string
  node_epoch: number
  /** Who publishes it. */
  principal: string
  protocol: string
  /** JSON; null until it is known. */
  video: string | null
  since: number
}

/** What all nodes of a service know alike, such as what signs its links. */
export interface ServiceSecretRow {
  name: string
  value: string
}
