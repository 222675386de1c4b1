import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Says what a broker says until a client is welcome, and then whatever it is given. */
export interface HostileBroker {
  readonly port: number
  /** How many connections came. */
  readonly visits: () => number
  close(): Promise<void>
}

const CONNECT = 1
const SUBSCRIBE = 8

export interface HostileBrokerOptions {
  /** The packet that is answered before it begins. */
  readonly after?: 'connect' | 'subscribe'
  /** Behind its load, once it was sent. */
  readonly hangsUp?: boolean
}

/** MQTT 3.1.1 (§3.2, §3.9), and CONNACK of MQTT 5 where that is spoken. */
export async function createHostileBroker(
  load: Buffer,
  { after = 'subscribe', hangsUp = false }: HostileBrokerOptions = {},
): Promise<HostileBroker> {
  const sockets = new Set<Socket>()
  let visits = 0
  const server = createServer((socket) => {
    visits += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    const begin = () => void (hangsUp ? socket.end(load) : socket.write(load))
    socket.on('data', (chunk) => {
      const kind = chunk[0]! >> 4
      if (kind === CONNECT) {
        const isVersion5 = chunk[chunk.indexOf('MQTT') + 4] === 5
        socket.write(Buffer.from(isVersion5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0]))
        if (after === 'connect') begin()
      }
      if (kind === SUBSCRIBE) {
        socket.write(Buffer.from([0x90, 3, chunk[2]!, chunk[3]!, 0]))
        if (after === 'subscribe') begin()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    visits: () => visits,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** So many of a packet, one after the other. */
export const repeated = (packet: readonly number[], times: number): Buffer =>
  Buffer.concat(Array<Buffer>(times).fill(Buffer.from(packet)))

export const PINGRESP = [0xd0, 0]
export const PUBACK = [0x40, 2, 0, 1]
export const PUBREL = [0x62, 2, 0, 1]

/** QoS 0, without a packet identifier (MQTT 3.1.1 §3.3). */
export function publishPacket(topic: string, payload: string, flags = 0): Buffer {
  const name = Buffer.from(topic)
  const body = Buffer.concat([Buffer.from([name.length >> 8, name.length & 0xff]), name, Buffer.from(payload)])
  const length: number[] = []
  for (let left = body.length; ; left >>= 7) {
    length.push(left > 127 ? (left & 127) | 128 : left)
    if (left <= 127) break
  }
  return Buffer.concat([Buffer.from([0x30 | flags, ...length]), body])
}
