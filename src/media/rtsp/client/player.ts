import { createDeadline } from '../../../core/deadline.ts'
import { createDeferred } from '../../../core/deferred.ts'
import { type SenderReport, type StreamDescription } from '../../stream.ts'
import { RtspClientError, RtspRedirect } from './client-error.ts'
import { connectToRtsp, type RtspClientConnection, type RtspConnectOptions } from './connection.ts'
import { type MediaTransport, type PlaySession, startPlaySession, UNSUPPORTED_TRANSPORT } from './play-session.ts'
import { createRequester, type RtspRequester } from './requester.ts'
import { parseRtspTarget, redirectedTarget, type RtspTarget } from './rtsp-target.ts'
import { readServedStream, type ServedStream, type ServedTrack } from './served-stream.ts'

export interface RtspPlayerHandlers {
  /** `data` is a whole RTP packet, the handler's from now on: nobody else refers to it, and it keeps little else in memory. */
  packet(track: number, data: Buffer): void
  report(report: SenderReport): void
  /** Called once, unless we closed. With `moved`, the server has redirected us there. */
  end(reason: string, moved?: RtspTarget): void
}

/** Reads one stream: described at once, flowing from `start` on. */
export interface RtspPlayer {
  readonly description: StreamDescription
  /** Tracks that `wants` rejects are not set up. */
  start(handlers: RtspPlayerHandlers, wants?: (track: number) => boolean): Promise<void>
  close(): Promise<void>
}

/** How long a transport may bring nothing before the other one is tried. */
const FIRST_PACKET_MS = 2_500
/** Encrypted, or between our own processes and nodes, there is only one way; else UDP stands in for TCP, and TCP again for UDP. */
const TCP_ONLY: readonly MediaTransport[] = ['tcp']
const TCP_OR_UDP: readonly MediaTransport[] = ['tcp', 'udp', 'tcp']

/** Opens a stream and follows redirects: each address is checked by `dial` first. */
export async function openRtspPlayer(from: string | RtspTarget, options: RtspConnectOptions): Promise<RtspPlayer> {
  let target = typeof from === 'string' ? parseRtspTarget(from) : from
  for (;;) {
    try {
      return createPlayer(target, await describe(target, options), options)
    } catch (error) {
      if (!(error instanceof RtspRedirect)) throw error
      target = redirectedTarget(target, error.location)
    }
  }
}

interface Described {
  readonly connection: RtspClientConnection
  readonly requester: RtspRequester
  readonly stream: ServedStream
}

async function describe(target: RtspTarget, options: RtspConnectOptions): Promise<Described> {
  const connection = await connectToRtsp(target, options)
  try {
    const requester = createRequester(connection, target.credentials)
    const response = await requester.request('DESCRIBE', target.url, { Accept: 'application/sdp' })
    return { connection, requester, stream: readServedStream(target.url, response) }
  } catch (error) {
    await connection.close()
    throw error
  }
}

function createPlayer(target: RtspTarget, first: Described, options: RtspConnectOptions): RtspPlayer {
  let described = first
  let session: PlaySession | undefined
  let isClosed = false

  function play(transport: MediaTransport, handlers: RtspPlayerHandlers, wants: (track: number) => boolean) {
    const { connection, requester, stream } = described
    const tracks = new Map<number, ServedTrack>()
    for (const [index, served] of stream.tracks.entries()) if (wants(index)) tracks.set(index, served)
    return startPlaySession({
      connection,
      requester,
      url: stream.url,
      tracks,
      transport,
      onPacket: (track, packet) => handlers.packet(track, packet),
      onReport: (report) => handlers.report(report),
    })
  }

  /** Cameras support TCP or UDP, and some agree to the one by which they then send nothing. */
  async function playSomehow(handlers: RtspPlayerHandlers, wants: (track: number) => boolean): Promise<PlaySession> {
    let plan = options.isOwnServer || options.isNode || target.isTls ? TCP_ONLY : TCP_OR_UDP
    for (;;) {
      const [transport, ...rest] = plan
      try {
        const playing = await play(transport!, handlers, wants)
        const hasBegun =
          rest.length === 0 ||
          (await begins(playing, described.connection).catch((error: unknown) => {
            playing.close()
            throw error
          }))
        if (hasBegun) return playing
        playing.close()
        plan = rest
      } catch (error) {
        const isRefusal = error instanceof RtspClientError && error.status === UNSUPPORTED_TRANSPORT
        plan = rest.filter((other) => other !== transport)
        if (!isRefusal || plan.length === 0) throw error
        continue
      }
      await describeAgain()
    }
  }

  /** On a connection of its own: what the server remembers of the first try must not be in the way. */
  async function describeAgain(): Promise<void> {
    await described.connection.close()
    described = await describe(target, options)
    if (isClosed) await described.connection.close()
  }

  return {
    description: { tracks: first.stream.tracks.map(({ track }) => track) },
    async start(handlers, wants = () => true) {
      let hasEnded = false
      function end(reason: string, moved?: RtspTarget): void {
        if (hasEnded || isClosed) return
        hasEnded = true
        handlers.end(reason, moved)
      }
      function move(location: string): void {
        try {
          end('the server sends us elsewhere', redirectedTarget(target, location))
        } catch (error) {
          end((error as Error).message.replace(/\.$/, ''))
        }
      }
      try {
        session = await playSomehow(handlers, wants)
      } catch (error) {
        if (error instanceof RtspRedirect) return move(error.location)
        throw error
      }
      if (isClosed) return session.close()
      described.connection.onRedirect(move)
      void described.connection.closed.then((reason) => end(reason))
    },
    close() {
      isClosed = true
      session?.close()
      return described.connection.close()
    },
  }
}

/** Whether any packet arrives. Rejects when the server ends the connection instead. */
async function begins({ begun }: PlaySession, { closed }: RtspClientConnection): Promise<boolean> {
  const waited = createDeferred<boolean>()
  const deadline = createDeadline(() => waited.resolve(false))
  deadline.set(FIRST_PACKET_MS)
  const ended = closed.then((reason) => {
    throw new RtspClientError('no-answer', `No answer: ${reason}.`)
  })
  return Promise.race([begun.then(() => true), waited.promise, ended]).finally(() => deadline.clear())
}
