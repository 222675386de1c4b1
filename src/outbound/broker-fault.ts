/** What a broker does that ends the connection to it: the rest of a sentence that begins with the broker's name. */
export class BrokerFault extends Error {
  /** The library passes on only those errors of a connection that have one. */
  readonly code = 'ERR_BROKER_FAULT'
}
