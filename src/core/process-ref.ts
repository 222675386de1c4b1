/** Which process it is, and whose. */
export interface ProcessRef {
  readonly processId: string
  readonly accountId: string
  readonly sourceId: string
}
