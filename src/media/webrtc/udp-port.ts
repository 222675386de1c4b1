import ndc from 'node-datachannel'
import { tryUdpPort } from './try-udp-port.ts'

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
