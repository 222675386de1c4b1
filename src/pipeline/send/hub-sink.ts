import { systemClock } from '../../core/clock.ts'
import { backoffMs } from '../../core/retry.ts'
import { describeH264Track, h264Codec } from '../../media/rtp/h264-codec.ts'
import { isParameterSet } from '../../media/rtp/nal-unit-codec.ts'
import { openRtspPublisher, type RtspPublisher } from '../../media/rtsp/client/publisher.ts'
import { buildSenderReport } from '../../media/rtsp/wire/rtcp.ts'
import { type HubPackets, PAYLOAD_TYPE } from './hub-packets.ts'
import { type CodedPicture, type OnSinkState, type Sink } from './sink.ts'

const REPORT_EVERY_MS = 1_000
const WAITS = { firstMs: 250, maxMs: 5_000 }

/** Publishes to a path of our own media server, and again whenever that was restarted. */
export function createHubSink(url: string, packets: HubPackets, onState: OnSinkState): Sink {
  const leaving = new AbortController()
  let session: Session | undefined
  let opening: Promise<void> | undefined
  let failures = 0

  async function open(keyframe: readonly Buffer[]): Promise<void> {
    onState('connecting', null)
    try {
      const sets = keyframe.filter((unit) => isParameterSet(h264Codec, unit))
      session = await openSession(url, sets, packets, (reason) => lose(`The media server is gone: ${reason}.`))
      failures = 0
      onState('sending', null)
    } catch (error) {
      lose(`The media server does not take it: ${(error as Error).message}`)
      await systemClock.sleep(backoffMs(failures++, WAITS), leaving.signal)
    }
    opening = undefined
  }

  function lose(sentence: string): void {
    session = undefined
    if (!leaving.signal.aborted) onState('waiting', sentence)
  }

  return {
    write(picture) {
      if (!session && (opening || !picture.isKeyframe || leaving.signal.aborted)) return
      if (session) session.write(picture)
      else opening = open(picture.nalUnits)
    },
    async close() {
      leaving.abort()
      await opening
      await session?.close()
    },
  }
}

interface Session {
  write(picture: CodedPicture): void
  close(): Promise<void>
}

/** One connection; it begins to send at the first keyframe. */
async function openSession(
  url: string,
  parameterSets: readonly Buffer[],
  { ssrc, pack }: HubPackets,
  onEnd: (reason: string) => void,
): Promise<Session> {
  const publisher: RtspPublisher = await openRtspPublisher(url, {
    tracks: [describeH264Track(PAYLOAD_TYPE, parameterSets)],
  })
  publisher.onEnd(onEnd)
  try {
    await publisher.record()
  } catch (error) {
    await publisher.close()
    throw error
  }
  let hasBegun = false
  let packets = 0
  let payloadBytes = 0
  let reportedMs = -Infinity

  return {
    write(picture) {
      hasBegun ||= picture.isKeyframe
      if (!hasBegun) return
      const packed = pack(picture)
      if (picture.ptsMs - reportedMs >= REPORT_EVERY_MS) {
        reportedMs = picture.ptsMs
        const { timestamp } = packed
        publisher.writeReport(0, buildSenderReport({ ssrc, timestamp, wallClockMs: Date.now(), packets, payloadBytes }))
      }
      publisher.writeInterleaved(packed.frames)
      packets += packed.packets
      payloadBytes += packed.payloadBytes
    },
    close: () => publisher.close(),
  }
}
