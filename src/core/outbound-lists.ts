/** Ranges of addresses (CIDR) that may not, or may all the same, be called for users, as the operator sets them. */
export interface OutboundLists {
  readonly deny: readonly string[]
  readonly allow: readonly string[]
}
