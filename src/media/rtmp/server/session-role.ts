import { systemClock } from '../../../core/clock.ts'
import { ownerOfPath } from '../../../core/media-path.ts'
import { type RefusalLog } from '../../../observe/refusal-log.ts'
import { type Credentials } from '../../access.ts'
import { type Hub } from '../../hub.ts'
import { type Accepted, type Client } from '../../listener.ts'
import { createPlayPace } from '../../play-pace.ts'
import { type ProtocolLog } from '../../protocol-server.ts'
import { type EndReason } from '../../publication.ts'
import { MediaRefusal } from '../../refusal.ts'
import { type TimeSlice } from '../../time-slice.ts'
import { type WaitingBytes } from '../../waiting-bytes.ts'
import { type RtmpMessage } from '../wire/message.ts'
import { answerPause, answerPlay, answerPublish, answerUnpublish } from './answers.ts'
import { type MuxerPool } from './muxer-pool.ts'
import { type ChunkSocket, type Player, startPlayer } from './player.ts'
import { createPublisher, type Publisher } from './publisher.ts'
import { onStatus, toStatusError } from './status.ts'
import { type StreamAddress } from './stream-address.ts'
import { createStreamLog } from './stream-log.ts'

/** What a client is doing once it was accepted. `idle`: between two streams. */
export type RolePhase = 'idle' | 'publishing' | 'playing'

export interface SessionRoleOptions {
  readonly hub: Pick<Hub, 'publish' | 'subscribe'>
  readonly muxers: MuxerPool
  /** The connection's. */
  readonly slice: TimeSlice
  /** For answers to commands. */
  readonly answers: Pick<ChunkSocket, 'write'>
  /** For the stream that the client plays. */
  readonly mediaSocket: ChunkSocket
  readonly remoteAddress: string
  readonly log: ProtocolLog
  readonly refusals: RefusalLog
  readonly now: () => number
  readonly waitingBytes: WaitingBytes
  readonly maxQueuedBytes: number
  readonly onCameraCalled: Client['onCameraCalled']
  readonly onAccepted: (accepted: Accepted) => void
  /** Called when publishing or playing begins; also with each message of a publisher, which shows that it is alive. */
  readonly onPhase: (phase: RolePhase) => void
  /** What was written should still go out, then the connection ends. */
  readonly onFinished: () => void
  /** The client takes nothing, so what was written is dropped with the connection. */
  readonly onCutOff: () => void
}

/** What a client does on its connection: it publishes or plays one stream at a time. */
export interface SessionRole {
  /** Never rejects, as `play`: a refusal is answered, and ends the connection. */
  publish(streamId: number, address: StreamAddress): Promise<void>
  play(streamId: number, address: StreamAddress): Promise<void>
  setPaused(streamId: number, isPaused: boolean): void
  /** Media of a publisher; of any other client it is dropped. */
  handle(message: RtmpMessage): void | Promise<void>
  refuse(action: 'publish' | 'play', streamId: number, path: string, error: unknown): void
  /** Ends the stream; the client may begin another. */
  end(streamId: number): void
  close(): void
}

export function createSessionRole(options: SessionRoleOptions): SessionRole {
  const { hub, muxers, slice, answers, mediaSocket, remoteAddress, log, now } = options
  const { onCameraCalled, onAccepted, onPhase, onFinished, onCutOff } = options
  const plays = createPlayPace(systemClock)
  const streamLog = createStreamLog(log, options.refusals, remoteAddress)
  const request = (credentials: Credentials) => ({ credentials, remoteAddress, protocol: 'rtmp' }) as const
  let role: Publisher | Player | undefined
  let isClosed = false

  function checkFree(): void {
    if (role) throw new MediaRefusal('path-in-use', 'This connection has a stream already; open another one.')
  }

  function leave(): void {
    if (role) streamLog.ended(role.kind, role.path)
    role?.close()
    role = undefined
  }

  /** The hub has ended the publication. */
  function lose(streamId: number, reason: EndReason): void {
    answers.write(onStatus(streamId, 'error', 'NetStream.Publish.BadName', WHY_ENDED[reason]))
    onFinished()
  }

  function refuse(action: 'publish' | 'play', streamId: number, path: string, error: unknown): void {
    if (isClosed) return
    const status = toStatusError(action, error)
    streamLog.refused(action, path, status, error)
    answers.write(onStatus(streamId, 'error', status.code, status.description))
    onFinished()
  }

  return {
    async publish(streamId, { path, credentials }) {
      try {
        checkFree()
        const publication = await hub.publish(path, request(credentials))
        if (isClosed) return publication.close()
        onAccepted(publication)
        publication.onEnd((reason) => lose(streamId, reason))
        role = createPublisher({ publication, slice, log, now, onActive: () => isClosed || onPhase('publishing') })
      } catch (error) {
        return refuse('publish', streamId, path, error)
      }
      onPhase('publishing')
      answers.write(...answerPublish(streamId))
      streamLog.began('publish', path)
    },

    async play(streamId, { path, credentials }) {
      try {
        checkFree()
        await plays.take()
        const subscription = await hub.subscribe(path, request(credentials), onCameraCalled)
        await subscription.waitForTurn()
        if (isClosed) return subscription.close()
        const muxer = muxers.take(subscription.path, subscription.description)
        if (!muxer)
          throw new MediaRefusal('not-live', `RTMP can't carry what is published to ${path}; read it by RTSP.`)
        onAccepted(subscription)
        onPhase('playing')
        answers.write(...answerPlay(streamId))
        streamLog.began('play', path)
        role = startPlayer({
          subscription,
          muxer,
          socket: mediaSocket,
          streamId,
          maxQueuedBytes: options.maxQueuedBytes,
          joinWaiting: (end) => options.waitingBytes.join(ownerOfPath(subscription.path), end),
          onClosed: () => muxers.giveBack(subscription.path),
          onStopped(why, error) {
            if (why === 'failed') streamLog.playerFailed(path, error)
            onFinished()
          },
          onTooSlow(why) {
            streamLog.playerTooSlow(path, why, mediaSocket.queuedBytes)
            onCutOff()
          },
        })
      } catch (error) {
        refuse('play', streamId, path, error)
      }
    },

    setPaused(streamId, isPaused) {
      if (role?.kind !== 'play') return
      role.setPaused(isPaused)
      answers.write(answerPause(streamId, isPaused))
    },

    handle: (message) => (role?.kind === 'publish' ? role.handle(message) : undefined),
    refuse,

    end(streamId) {
      if (!role) return
      if (role.kind === 'publish') answers.write(answerUnpublish(streamId))
      leave()
      onPhase('idle')
    },

    close() {
      isClosed = true
      leave()
    },
  }
}

const WHY_ENDED: Readonly<Record<EndReason, string>> = {
  'publisher-left': 'The stream has ended.',
  'taken-over': 'You have come again on another connection.',
  expelled: 'Your key or token is no longer good for this stream.',
  'server-stopping': 'The server stops.',
  unread: 'Nobody reads it any more.',
}
