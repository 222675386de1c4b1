import { type EndReason, type Reader, type Subscription } from '../../publication.ts'
import { writeData } from '../wire/command.ts'
import { userEvent, USER_EVENT } from '../wire/control-messages.ts'
import { type WaitingMember } from '../../waiting-bytes.ts'
import { joinSmall } from './join-small.ts'
import { createPlayback } from './playback.ts'
import { onStatus } from './status.ts'
import { type StreamMuxer } from './stream-muxer.ts'

/** What a player needs of its connection. */
export interface ChunkSocket {
  write(...buffers: readonly Buffer[]): void
  /** Written and not yet taken by the network, each write with its overhead. */
  readonly queuedBytes: number
}

export interface PlayerOptions {
  readonly subscription: Subscription
  readonly muxer: StreamMuxer
  readonly socket: ChunkSocket
  readonly streamId: number
  /** A reader with more than this waiting for it can't keep up and is disconnected. */
  readonly maxQueuedBytes: number
  /** Counts what waits for this reader with what waits for others of the same account's streams. */
  readonly joinWaiting: (end: (why: string) => void) => WaitingMember
  /** Called once, however it ends. */
  readonly onClosed: () => void
  /** Called once if the player stops by itself. */
  readonly onStopped: (why: PlayerEnd, error?: unknown) => void
  /** Called instead where it could not keep up. */
  readonly onTooSlow: (why: string) => void
}

export type PlayerEnd = EndReason | 'failed'

/** The role of a client that is sent a stream. */
export interface Player {
  readonly kind: 'play'
  readonly path: string
  setPaused(isPaused: boolean): void
  close(): void
}

/** Also while nothing is sent: by then readers that keep up have taken everything. */
const CHECK_EVERY_MS = 1_000

export function startPlayer(options: PlayerOptions): Player {
  const { subscription, muxer, socket, streamId, maxQueuedBytes, onClosed, onStopped, onTooSlow } = options
  // Even once it is closed: what it did not take still waits in its connection.
  const member = options.joinWaiting((why) => {
    close()
    onTooSlow(why)
  })
  const checks = setInterval(check, CHECK_EVERY_MS)
  const playback = createPlayback(streamId, muxer.hasVideo)
  let isClosed = false
  /** What it begins with, while that is gathered. */
  let burst: Buffer[] | undefined
  /** What is left of the burst at the beginning. */
  let burstBytes = 0

  const reader: Reader = {
    packet(packet) {
      if (isClosed) return
      // An error here must not reach the publisher, in whose turn this is called.
      try {
        for (const message of muxer.messagesFor(packet)) write(playback.chunksOf(message))
      } catch (error) {
        return stop('failed', error)
      }
      if (!burst) check()
    },
    report: (report) => muxer.report(report),
    end(reason) {
      if (isClosed) return
      socket.write(
        onStatus(streamId, 'status', 'NetStream.Play.UnpublishNotify', 'The publisher has left.'),
        userEvent(USER_EVENT.streamEnd, streamId),
      )
      stop(reason)
    },
  }

  begin()

  return { kind: 'play', path: subscription.path, setPaused: (isPaused) => playback.setPaused(isPaused), close }

  /** The last group of pictures is sent at once and may be large; it is bounded by the hub. */
  function begin(): void {
    socket.write(writeData(streamId, 'onMetaData', muxer.metadata))
    const { videoConfiguration, audioConfiguration } = muxer
    if (videoConfiguration) write(playback.chunksOfConfiguration('video', videoConfiguration))
    if (audioConfiguration) write(playback.chunksOfConfiguration('audio', audioConfiguration))
    const gathered: Buffer[] = []
    burst = gathered
    try {
      subscription.start(reader)
    } catch (error) {
      close()
      throw error
    }
    burst = undefined
    if (!isClosed) socket.write(...joinSmall(gathered))
    burstBytes = socket.queuedBytes
    check()
  }

  function write(chunks: readonly Buffer[]): void {
    if (burst) burst.push(...chunks)
    else if (chunks.length > 0) socket.write(...chunks)
  }

  function check(): void {
    if (isClosed) return
    const { queuedBytes } = socket
    member.note(queuedBytes)
    burstBytes = Math.min(burstBytes, queuedBytes)
    if (queuedBytes <= burstBytes + maxQueuedBytes || isClosed) return
    close()
    onTooSlow('too-many-bytes')
  }

  function stop(why: PlayerEnd, error?: unknown): void {
    if (isClosed) return
    close()
    onStopped(why, error)
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    clearInterval(checks)
    member.leave(() => socket.queuedBytes)
    subscription.close()
    onClosed()
  }
}
