import { type SenderReport, type StreamDescription } from '../stream.ts'
import { connectToRtsp, type RtspClientConnection, sessionOf } from './connection.ts'
import { keepAlive } from './keep-alive.ts'
import { parseSenderReport } from './rtcp.ts'
import { type AnnouncedTrack, parseSdp } from './sdp-parser.ts'
import { trackUrl } from './track-url.ts'

export interface RtspPlayerHandlers {
  /** `data` is a whole RTP packet, good only during the call: it is part of a larger read. */
  packet(track: number, data: Buffer): void
  report(report: SenderReport): void
  /** Called once, unless we closed. */
  end(reason: string): void
}

/** Reads one stream: described at once, flowing from `start` on. */
export interface RtspPlayer {
  readonly description: StreamDescription
  /** Tracks that `wants` says no to are not asked for. */
  start(handlers: RtspPlayerHandlers, wants?: (track: number) => boolean): Promise<void>
  close(): Promise<void>
}

export async function openRtspPlayer(url: string): Promise<RtspPlayer> {
  const connection = await connectToRtsp(url)
  try {
    const described = await connection.request('DESCRIBE', url, { Accept: 'application/sdp' })
    const tracks = parseSdp(described.body.toString('utf8'))
    return createPlayer(url, connection, tracks)
  } catch (error) {
    await connection.close()
    throw error
  }
}

function createPlayer(url: string, connection: RtspClientConnection, tracks: readonly AnnouncedTrack[]): RtspPlayer {
  let isClosed = false
  let alive: { stop(): void } | undefined

  return {
    description: { tracks: tracks.map(({ track }) => track) },
    async start(handlers, wants = () => true) {
      connection.onClose((reason) => {
        alive?.stop()
        if (!isClosed) handlers.end(reason)
      })
      // Even channels carry RTP, the odd ones behind them RTCP.
      connection.onFrame((channel, data) => {
        const track = channel >> 1
        if (track >= tracks.length) return
        if ((channel & 1) === 0) return handlers.packet(track, data)
        const report = parseSenderReport(data)
        if (report) handlers.report({ track, ...report })
      })
      let session = ''
      for (const [index, { control }] of tracks.entries()) {
        if (!wants(index)) continue
        const { headers } = await connection.request('SETUP', trackUrl(url, control), {
          Transport: `RTP/AVP/TCP;unicast;interleaved=${2 * index}-${2 * index + 1}`,
          ...(session && { Session: session }),
        })
        session = sessionOf(headers)
      }
      await connection.request('PLAY', url, { Session: session, Range: 'npt=0.000-' })
      if (!isClosed) alive = keepAlive(connection, url, session)
    },
    close() {
      isClosed = true
      alive?.stop()
      return connection.close()
    },
  }
}
