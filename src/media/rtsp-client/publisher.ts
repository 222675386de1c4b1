import { type StreamDescription } from '../stream.ts'
import { connectToRtsp, type RtspClientConnection, sessionOf } from './connection.ts'
import { interleave, mediaChannel, reportChannel } from './interleave.ts'
import { keepAlive } from './keep-alive.ts'
import { controlOf, writeSdp } from './sdp-writer.ts'
import { trackUrl } from './track-url.ts'

/** Publishes one stream. The path is ours once this is open; readers see it from `record` on. */
export interface RtspPublisher {
  record(): Promise<void>
  /** A whole RTP packet of that track's payload type; dropped before `record`. */
  write(track: number, packet: Buffer): void
  /** Many packets that `interleave` put together, which several publishers may share. */
  writeInterleaved(frames: Buffer): void
  /** A whole RTCP packet. */
  writeReport(track: number, data: Buffer): void
  /** Called once, unless we closed. */
  onEnd(handler: (reason: string) => void): void
  close(): Promise<void>
}

export async function openRtspPublisher(url: string, description: StreamDescription): Promise<RtspPublisher> {
  const connection = await connectToRtsp(url)
  try {
    await connection.request('ANNOUNCE', url, { 'Content-Type': 'application/sdp' }, writeSdp(description))
    return createPublisher(url, connection, description)
  } catch (error) {
    await connection.close()
    throw error
  }
}

function createPublisher(url: string, connection: RtspClientConnection, { tracks }: StreamDescription): RtspPublisher {
  let isRecording = false
  let isClosed = false
  let alive: { stop(): void } | undefined
  let tellEnd: (reason: string) => void = () => {}
  connection.onClose((reason) => {
    alive?.stop()
    if (!isClosed) tellEnd(reason)
  })

  function writeInterleaved(frames: Buffer): void {
    if (isRecording) connection.sendInterleaved(frames)
  }

  return {
    async record() {
      let session = ''
      for (const index of tracks.keys()) {
        const { headers } = await connection.request('SETUP', trackUrl(url, controlOf(index)), {
          Transport: `RTP/AVP/TCP;unicast;interleaved=${mediaChannel(index)}-${reportChannel(index)};mode=record`,
          ...(session && { Session: session }),
        })
        session = sessionOf(headers)
      }
      await connection.request('RECORD', url, { Session: session, Range: 'npt=0.000-' })
      isRecording = true
      if (!isClosed) alive = keepAlive(connection, url, session)
    },
    write: (track, packet) => writeInterleaved(interleave(mediaChannel(track), [packet])),
    writeInterleaved,
    writeReport: (track, data) => writeInterleaved(interleave(reportChannel(track), [data])),
    onEnd: (handler) => void (tellEnd = handler),
    close() {
      isClosed = true
      alive?.stop()
      return connection.close()
    },
  }
}
