import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/** Resolves with the port, which for 0 is a free one; rejects with the system's error when it cannot be opened. */
export async function tryUdpPort(host: string, port: number): Promise<number> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4').bind(port, host)
  await once(socket, 'listening')
  const opened = socket.address().port
  socket.close()
  await once(socket, 'close')
  return opened
}
