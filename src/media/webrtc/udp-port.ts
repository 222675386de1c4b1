import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import ndc from 'node-datachannel'

/** The UDP port by which all browsers come, ours until it is closed, also while nobody watches. */
export interface UdpPort {
  readonly port: number
  close(): void
}

export interface UdpPortOptions {
  readonly host: string
  /** 0 means any free one. */
  readonly port: number
  /** Undefined for every address of this machine. */
  readonly bindAddress: string | undefined
}

/**
 * The library would open the port by itself for the first peer, but where another program has it, the library ends the process
 * (an exception that nobody can catch), and its listener does not say why it failed. So we try it first, and then hold it.
 */
export async function openUdpPort({ host, port: wanted, bindAddress }: UdpPortOptions): Promise<UdpPort> {
  const port = await tryUdpPort(host, wanted)
  const listener = new ndc.IceUdpMuxListener(port, bindAddress)
  return { port, close: () => listener.stop() }
}

/** Resolves with the port, which for 0 is a free one; rejects with the system's error when it cannot be opened. */
export async function tryUdpPort(host: string, port: number): Promise<number> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4').bind(port, host)
  await once(socket, 'listening')
  const opened = socket.address().port
  socket.close()
  await once(socket, 'close')
  return opened
}
