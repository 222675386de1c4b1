/** The node of a cluster that this service is; where it is alone there is none (`null`). What it begins is written as its own. */
export interface OwnNode {
  readonly id: string
  /** Of its membership: what is another one's was begun before it joined anew. */
  readonly epoch: number
}
