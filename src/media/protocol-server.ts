/** What every protocol folder exports: a server that knows the hub and nothing else of the system. */
export interface ProtocolServer {
  /** Resolves with the port once connections are accepted; port 0 was "any free one". */
  listen(): Promise<{ readonly port: number }>
  /** Resolves when every connection is closed and every port is free again. */
  close(): Promise<void>
}
