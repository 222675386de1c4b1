/** An address that a name leads to. */
export interface HostAddress {
  readonly address: string
  readonly family: number
}
