import { randomInt } from 'node:crypto'
import { systemClock } from '../../core/clock.ts'
import { splitByStartCodes } from '../../media/rtmp-client/nal-units.ts'
import { createH264Packetizer } from '../../media/rtp/h264-packetizer.ts'
import { describeH264Track } from '../../media/rtp/h264-track.ts'
import { buildSenderReport } from '../../media/rtsp-client/rtcp.ts'
import { openRtspPublisher, type RtspPublisher } from '../../media/rtsp-client/publisher.ts'
import { type OnSinkState, type Sink } from './sink.ts'

const payloadType = 96
const clockRate = 90_000
const reportEveryMs = 1_000
const longestWaitMs = 5_000
/** NAL unit types of H.264 (table 7-1). */
const parameterSetTypes = [7, 8]

/** Publishes to a path of our own media server, and again whenever that was restarted. */
export function createHubSink(url: string, onState: OnSinkState): Sink {
  const leaving = new AbortController()
  let session: Session | undefined
  let opening: Promise<void> | undefined
  let failures = 0

  async function open(keyframe: readonly Buffer[]): Promise<void> {
    onState('connecting', null)
    try {
      session = await openSession(url, parameterSetsOf(keyframe), (reason) =>
        lose(`The media server is gone: ${reason}.`),
      )
      failures = 0
      onState('sending', null)
    } catch (error) {
      lose((error as Error).message)
      await systemClock.sleep(Math.min(longestWaitMs, 250 * 2 ** failures++), leaving.signal)
    }
    opening = undefined
  }

  function lose(sentence: string): void {
    session = undefined
    if (!leaving.signal.aborted) onState('waiting', sentence)
  }

  return {
    write({ data, ptsMs, isKeyframe }) {
      if (!session && (opening || !isKeyframe || leaving.signal.aborted)) return
      const nalUnits = splitByStartCodes(data)
      if (session) session.write(nalUnits, ptsMs, isKeyframe)
      else opening = open(nalUnits)
    },
    async close() {
      leaving.abort()
      await opening
      await session?.close()
    },
  }
}

interface Session {
  write(nalUnits: readonly Buffer[], ptsMs: number, isKeyframe: boolean): void
  close(): Promise<void>
}

/** One connection; it begins to send at the first keyframe. */
async function openSession(
  url: string,
  parameterSets: readonly Buffer[],
  onEnd: (reason: string) => void,
): Promise<Session> {
  const publisher: RtspPublisher = await openRtspPublisher(url, {
    tracks: [describeH264Track(payloadType, parameterSets)],
  })
  publisher.onEnd(onEnd)
  try {
    await publisher.record()
  } catch (error) {
    await publisher.close()
    throw error
  }
  const ssrc = randomInt(2 ** 32)
  const packetize = createH264Packetizer({ payloadType, ssrc })
  let hasBegun = false
  let packets = 0
  let payloadBytes = 0
  let reportedMs = -Infinity

  return {
    write(nalUnits, ptsMs, isKeyframe) {
      hasBegun ||= isKeyframe
      if (!hasBegun) return
      // As an unsigned number of 32 bits, whatever the sign.
      const timestamp = Number(BigInt.asUintN(32, BigInt(Math.round((ptsMs * clockRate) / 1000))))
      if (ptsMs - reportedMs >= reportEveryMs) {
        reportedMs = ptsMs
        publisher.writeReport(0, buildSenderReport({ ssrc, timestamp, wallClockMs: Date.now(), packets, payloadBytes }))
      }
      for (const packet of packetize(nalUnits, timestamp)) {
        publisher.write(0, packet)
        packets += 1
        payloadBytes += packet.length
      }
    },
    close: () => publisher.close(),
  }
}

function parameterSetsOf(nalUnits: readonly Buffer[]): Buffer[] {
  return nalUnits.filter((unit) => parameterSetTypes.includes(unit[0]! & 0x1f))
}
