import { randomInt } from 'node:crypto'
import { createH264Packetizer, describeH264Track } from '../../media/rtp/h264-codec.ts'
import { openRtspPublisher } from '../../media/rtsp/client/publisher.ts'
import { buildSenderReport } from '../../media/rtsp/wire/rtcp.ts'
import { type Clip, type ClipFrame } from './clip.ts'

/** What the demo's camera is started with. */
export interface CameraOrder {
  readonly file: string
  readonly url: string
}

export interface ClipCamera {
  /** Rejects when the media server lets go of it. */
  readonly ended: Promise<never>
  close(): Promise<void>
}

const PAYLOAD_TYPE = 96
const TICKS_PER_MS = 90
const REPORT_EVERY_MS = 1_000

/** Publishes a clip over and over, as a camera would: in real time, on one time line, with the time of day in its reports. */
export async function openClipCamera(clip: Clip, url: string): Promise<ClipCamera> {
  const { parameterSets, frames, durationMs } = clip
  const publisher = await openRtspPublisher(url, { tracks: [describeH264Track(PAYLOAD_TYPE, parameterSets)] })
  const ended = new Promise<never>((_resolve, reject) => publisher.onEnd((reason) => reject(new Error(reason))))
  ended.catch(() => {})
  await publisher.record()

  const ssrc = randomInt(2 ** 32)
  const packetize = createH264Packetizer({ payloadType: PAYLOAD_TYPE, ssrc })
  const firstTimestamp = randomInt(2 ** 32)
  const startedMs = performance.now()
  const startedAtMs = Date.now()
  let sent = 0
  let packets = 0
  let payloadBytes = 0
  let reportedMs = -Infinity
  let timer: NodeJS.Timeout | undefined

  /** When the frame with this number is due, since the start: loops follow each other without a jump. */
  const dueMs = (index: number) => Math.floor(index / frames.length) * durationMs + frames[index % frames.length]!.atMs

  function send(frame: ClipFrame, atMs: number): void {
    const timestamp = (firstTimestamp + Math.round(atMs * TICKS_PER_MS)) % 2 ** 32
    if (atMs - reportedMs >= REPORT_EVERY_MS) {
      reportedMs = atMs
      const wallClockMs = startedAtMs + atMs
      publisher.writeReport(0, buildSenderReport({ ssrc, timestamp, wallClockMs, packets, payloadBytes }))
    }
    const nalUnits = frame.isKeyframe ? [...parameterSets, ...frame.nalUnits] : frame.nalUnits
    for (const packet of packetize(nalUnits, timestamp)) {
      publisher.write(0, packet)
      packets += 1
      payloadBytes += packet.length
    }
  }

  function sendDue(): void {
    for (; dueMs(sent) <= performance.now() - startedMs; sent++) send(frames[sent % frames.length]!, dueMs(sent))
    timer = setTimeout(sendDue, Math.max(0, dueMs(sent) - (performance.now() - startedMs)))
  }
  sendDue()

  return {
    ended,
    async close() {
      clearTimeout(timer)
      await publisher.close()
    },
  }
}
