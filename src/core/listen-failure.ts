export type ListeningServer = 'HTTP' | 'HTTP redirect' | 'RTSP' | 'RTSPS' | 'RTMP' | 'RTMPS' | 'WebRTC'

/** Why a port cannot be opened, and which setting is to blame. */
const failures: Readonly<Record<string, { readonly reason: string; readonly setting: 'port' | 'host' }>> = {
  EADDRINUSE: { reason: 'another program uses it', setting: 'port' },
  EACCES: { reason: 'it takes more rights to open it', setting: 'port' },
  EADDRNOTAVAIL: { reason: 'this machine has no such address', setting: 'host' },
  ENOTFOUND: { reason: 'there is no such host', setting: 'host' },
}

/** A server could not listen: the sentence for the operator. The transport is named where a server has a port of two. */
export function listenFailure(
  server: ListeningServer,
  port: number,
  error: NodeJS.ErrnoException,
  transport?: 'UDP' | 'TCP',
): Error {
  const { reason, setting } = failures[error.code ?? ''] ?? { reason: error.message, setting: 'port' }
  const advice =
    setting === 'host'
      ? 'Set AERIE_HOST to an address of this machine.'
      : `Set AERIE_${server.replace(' ', '_').toUpperCase()}_PORT to another one.`
  const place = transport ? `${transport} port ${port}` : `port ${port}`
  return new Error(`The ${server} server cannot listen on ${place}: ${reason}. ${advice}`, { cause: error })
}
