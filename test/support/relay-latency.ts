import { buildPacket } from '../../src/media/rtp/packet.ts'
import { OWN_SERVER } from '../../src/media/rtsp/client/connection.ts'
import { openRtspPlayer } from '../../src/media/rtsp/client/player.ts'
import { openRtspPublisher } from '../../src/media/rtsp/client/publisher.ts'
import { threeTracks } from '../builders/three-tracks.ts'
import { until } from './until.ts'

/** Sorted, in milliseconds: from the write of a frame to its last packet at a reader. */
export interface RelayLatency {
  readonly atOrigin: readonly number[]
  readonly atRelay: readonly number[]
  /** How much later the same frame came by the relay. */
  readonly added: readonly number[]
}

export interface RelayLatencyOptions {
  readonly publishUrl: string
  readonly originUrl: string
  readonly relayUrl: string
  /** The relay knows that there is this stream. */
  readonly untilKnown?: () => Promise<void>
  readonly frames?: number
  readonly packetsPerFrame?: number
}

const FRAME_MS = 33
const PAYLOAD_BYTES = 1_200

/** What one relay adds for a stream of 720p: 30 frames a second of a dozen packets each, with a keyframe every second. */
export async function measureRelay(options: RelayLatencyOptions): Promise<RelayLatency> {
  const { publishUrl, originUrl, relayUrl, untilKnown, frames = 600, packetsPerFrame = 11 } = options
  const publisher = await openRtspPublisher(publishUrl, threeTracks)
  await publisher.record()
  let sequenceNumber = 0
  const sentAt = new Map<number, number>()

  function sendFrame(frame: number): void {
    const timestamp = 3000 * frame
    sentAt.set(timestamp, performance.now())
    for (let index = 0; index < packetsPerFrame; index++) {
      const payload = Buffer.alloc(PAYLOAD_BYTES, 0x55)
      // FU-A of an IDR picture or another, of which the first and the last part are marked.
      const type = frame % 30 === 0 ? 5 : 1
      payload[0] = 0x7c
      payload[1] = type | (index === 0 ? 0x80 : 0) | (index === packetsPerFrame - 1 ? 0x40 : 0)
      const marker = index === packetsPerFrame - 1
      publisher.write(
        0,
        buildPacket({ payloadType: 96, sequenceNumber: sequenceNumber++, timestamp, ssrc: 7, marker }, payload),
      )
    }
  }

  async function readFrom(url: string) {
    const arrivedAt = new Map<number, number>()
    const player = await openRtspPlayer(url, OWN_SERVER)
    await player.start({
      packet: (_track, data) =>
        void ((data[1]! & 0x80) !== 0 && arrivedAt.set(data.readUInt32BE(4), performance.now())),
      report: () => {},
      end: () => {},
    })
    return { player, arrivedAt }
  }

  let sent = 0
  const camera = setInterval(() => sendFrame(sent++), FRAME_MS)
  const [there, here, first] = await readBoth().finally(() => clearInterval(camera))
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await Promise.all([publisher.close(), there.player.close(), here.player.close()])

  /** The frames that count are those from the first one on that both get. */
  async function readBoth() {
    await untilKnown?.()
    const readers = [await readFrom(originUrl), await readFrom(relayUrl)] as const
    const first = sent
    await until(async () => sent >= first + frames, frames * FRAME_MS * 5)
    return [...readers, first] as const
  }

  const counts = (timestamp: number) => timestamp >= 3000 * first && timestamp < 3000 * (first + frames)
  const common = [...there.arrivedAt.keys()].filter((timestamp) => counts(timestamp) && here.arrivedAt.has(timestamp))
  const sorted = (of: (timestamp: number) => number) => common.map(of).sort((a, b) => a - b)
  return {
    atOrigin: sorted((timestamp) => there.arrivedAt.get(timestamp)! - sentAt.get(timestamp)!),
    atRelay: sorted((timestamp) => here.arrivedAt.get(timestamp)! - sentAt.get(timestamp)!),
    added: sorted((timestamp) => here.arrivedAt.get(timestamp)! - there.arrivedAt.get(timestamp)!),
  }
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
