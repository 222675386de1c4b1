/** A process full of readers, forked by a benchmark so that their work is not counted as the server's. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connectRtsp } from '../test/support/rtsp-client.ts'

export interface ReaderRequest {
  readonly port: number
  readonly path: string
  readonly key: string
  readonly readers: number
  readonly transport: 'tcp' | 'udp'
}

export interface Reading {
  /** Gaps in sequence numbers, in packets. */
  lost: number
  latenciesMs: number[]
}

if (process.send) await runReaders()

async function runReaders(): Promise<void> {
  let reading: Reading | undefined
  const createTaker = () => {
    let last: number | undefined
    return (packet: Buffer) => {
      const sequenceNumber = packet.readUInt16BE(2)
      const gap = last === undefined ? 0 : (sequenceNumber - last - 1) & 0xffff
      last = sequenceNumber
      if (!reading) return
      reading.lost += gap
      if ((packet[1]! & 0x80) === 0) return
      reading.latenciesMs.push(performance.timeOrigin + performance.now() - packet.readDoubleBE(14))
    }
  }
  process.on('message', (message: ReaderRequest | string) => {
    if (message === 'measure') reading = { lost: 0, latenciesMs: [] }
    else if (message === 'report') process.send!(reading!)
    else if (typeof message === 'object') void connectAll(message).then(() => process.send!('ready'))
  })

  async function connectAll(request: ReaderRequest) {
    for (let i = 0; i < request.readers; i++) await connectOne(request)
  }

  async function connectOne({ port, path, key, transport }: ReaderRequest): Promise<void> {
    const take = createTaker()
    const client = await connectRtsp(port)
    const url = `rtsp://127.0.0.1:${port}/${path}`
    await client.request('DESCRIBE', `${url}?api_key=${key}`)
    let header = 'RTP/AVP/TCP;unicast;interleaved=0-1'
    if (transport === 'udp') {
      const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 2 ** 20 })
      socket.on('message', take)
      socket.bind(0, '127.0.0.1')
      await once(socket, 'listening')
      header = `RTP/AVP;unicast;client_port=${socket.address().port}`
    }
    const setUp = await client.request('SETUP', `${url}/trackID=0`, { Transport: header })
    await client.request('PLAY', url, { Session: setUp.headers.get('session')! })
    client.socket.removeAllListeners('data')
    client.socket.on('data', createFrameSplitter(take))
  }
}

/** As little as a reader can do: packets out of the stream, none of the checks of a real parser. */
function createFrameSplitter(take: (packet: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let isInStep = false
  return (chunk) => {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (!isInStep) {
      // The client may have taken a part of a frame before: begin at the next one that looks like a video packet.
      const start = bytes.indexOf(Buffer.from([0x24, 0]))
      if (start < 0) return
      bytes = bytes.subarray(start)
      isInStep = true
    }
    let at = 0
    while (at + 4 <= bytes.length && at + 4 + bytes.readUInt16BE(at + 2) <= bytes.length) {
      const end = at + 4 + bytes.readUInt16BE(at + 2)
      take(bytes.subarray(at + 4, end))
      at = end
    }
    rest = bytes.subarray(at)
  }
}
