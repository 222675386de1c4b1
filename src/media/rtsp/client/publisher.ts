import { type StreamDescription } from '../../stream.ts'
import { interleave, mediaChannel, reportChannel } from '../wire/interleave.ts'
import { controlOf, trackUrl, writeSdp } from '../wire/sdp-writer.ts'
import { RtspClientError } from './client-error.ts'
import { connectToRtsp, OWN_SERVER, type RtspClientConnection, type RtspConnectOptions } from './connection.ts'
import { keepAlive } from './keep-alive.ts'
import { createRequester, type RtspRequester, type RtspSession, sessionHeader, sessionOf } from './requester.ts'
import { parseRtspTarget } from './rtsp-target.ts'

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

/** Publishes to our own media server or to another node's: there are no others that are published to by RTSP. */
export async function openRtspPublisher(
  from: string,
  description: StreamDescription,
  options: RtspConnectOptions = OWN_SERVER,
): Promise<RtspPublisher> {
  const target = parseRtspTarget(from)
  const { url } = target
  const connection = await connectToRtsp(target, options)
  const requester = createRequester(connection, target.credentials)
  try {
    await requester.request('ANNOUNCE', url, { 'Content-Type': 'application/sdp' }, writeSdp(description))
    return createPublisher(url, connection, requester, description)
  } catch (error) {
    await connection.close()
    throw error
  }
}

function createPublisher(
  url: string,
  connection: RtspClientConnection,
  requester: RtspRequester,
  { tracks }: StreamDescription,
): RtspPublisher {
  let isRecording = false
  let isClosed = false
  let alive: { stop(): void } | undefined
  let reportEnd: (reason: string) => void = () => {}
  void connection.closed.then((reason) => {
    alive?.stop()
    if (!isClosed) reportEnd(reason)
  })

  function writeInterleaved(frames: Buffer): void {
    if (isRecording) connection.sendInterleaved(frames)
  }

  return {
    async record() {
      let session: RtspSession | undefined
      for (const index of tracks.keys()) {
        const { headers } = await requester.request('SETUP', trackUrl(url, controlOf(index)), {
          Transport: `RTP/AVP/TCP;unicast;interleaved=${mediaChannel(index)}-${reportChannel(index)};mode=record`,
          ...sessionHeader(session),
        })
        session = sessionOf(headers)
      }
      if (!session) throw new RtspClientError('unusable', 'There is no track to publish.')
      await requester.request('RECORD', url, { ...sessionHeader(session), Range: 'npt=0.000-' })
      isRecording = true
      if (!isClosed) alive = keepAlive(requester, url, session)
    },
    write: (track, packet) => writeInterleaved(interleave([{ channel: mediaChannel(track), data: packet }])),
    writeInterleaved,
    writeReport: (track, data) => writeInterleaved(interleave([{ channel: reportChannel(track), data }])),
    onEnd: (handler) => void (reportEnd = handler),
    close() {
      isClosed = true
      alive?.stop()
      return connection.close()
    },
  }
}
