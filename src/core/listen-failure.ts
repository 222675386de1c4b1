/** Why a port cannot be opened, and which setting is to blame. */
const failures: Readonly<Record<string, { readonly reason: string; readonly setting: 'port' | 'host' }>> = {
  EADDRINUSE: { reason: 'another program uses it', setting: 'port' },
  EACCES: { reason: 'it takes more rights to open it', setting: 'port' },
  EADDRNOTAVAIL: { reason: 'this machine has no such address', setting: 'host' },
  ENOTFOUND: { reason: 'there is no such host', setting: 'host' },
}

/** A server could not listen: the sentence for whoever starts the service. */
export function listenFailure(server: 'HTTP' | 'RTSP' | 'RTMP', port: number, error: NodeJS.ErrnoException): Error {
  const { reason, setting } = failures[error.code ?? ''] ?? { reason: error.message, setting: 'port' }
  const advice =
    setting === 'host' ? 'Set AERIE_HOST to an address of this machine.' : `Set AERIE_${server}_PORT to another one.`
  return new Error(`The ${server} server cannot listen on port ${port}: ${reason}. ${advice}`, { cause: error })
}
