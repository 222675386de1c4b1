import { type EndReason, type Reader, type Subscription } from '../../publication.ts'
import { CHUNK_STREAM, createHeaderWriter } from '../wire/chunk-writer.ts'
import { writeData } from '../wire/command-writer.ts'
import { userEvent, USER_EVENT } from '../wire/control-messages.ts'
import { MESSAGE } from '../wire/message.ts'
import { type WaitingMember } from '../../waiting-bytes.ts'
import { joinSmall } from './join-small.ts'
import { type ChunkedPayload, type MediaMessage } from './media-message.ts'
import { onStatus } from './status.ts'
import { type StreamMuxer } from './stream-muxer.ts'

/** What a player needs of its connection. */
export interface Wire {
  write(...buffers: readonly Buffer[]): void
  /** Written and not yet taken by the network, each write with its overhead. */
  readonly queuedBytes: number
}

export interface PlayerOptions {
  readonly subscription: Subscription
  readonly muxer: StreamMuxer
  readonly wire: Wire
  readonly streamId: number
  /** A reader with more than this waiting for it can't keep up and is let go. */
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

/** Sends a stream to one reader. */
export interface Player {
  setPaused(isPaused: boolean): void
  close(): void
}

/** While nothing comes, too: by then those who keep up have taken everything. */
const CHECK_EVERY_MS = 1_000

export function startPlayer(options: PlayerOptions): Player {
  const { subscription, muxer, wire, streamId, maxQueuedBytes, onClosed, onStopped } = options
  // Also of one that was closed: what it did not take still waits in its connection.
  const member = options.joinWaiting((why) => {
    close()
    options.onTooSlow(why)
  })
  const checks = setInterval(check, CHECK_EVERY_MS)
  const headers = {
    video: createHeaderWriter(CHUNK_STREAM.video, MESSAGE.video, streamId),
    audio: createHeaderWriter(CHUNK_STREAM.audio, MESSAGE.audio, streamId),
  }
  const sentConfigurations: { video?: ChunkedPayload; audio?: ChunkedPayload } = {}
  /** The keyframe with which this reader began: its time counts from there. */
  let beginning: MediaMessage | undefined
  let isPaused = false
  let isWaitingForKeyframe = true
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
        for (const message of muxer.messagesFor(packet)) send(message)
      } catch (error) {
        return stop('failed', error)
      }
      if (!burst) check()
    },
    report: (report) => muxer.report(report),
    end(reason) {
      if (isClosed) return
      wire.write(
        onStatus(streamId, 'status', 'NetStream.Play.UnpublishNotify', 'The publisher has left.'),
        userEvent(USER_EVENT.streamEnd, streamId),
      )
      stop(reason)
    },
  }

  wire.write(writeData(streamId, 'onMetaData', muxer.metadata))
  if (muxer.videoConfiguration) sendConfiguration('video', muxer.videoConfiguration, 0)
  if (muxer.audioConfiguration) sendConfiguration('audio', muxer.audioConfiguration, 0)
  // The last group of pictures comes at once and may be large; it is bounded by the hub.
  burst = []
  try {
    subscription.start(reader)
  } catch (error) {
    close()
    throw error
  }
  const gathered = burst
  burst = undefined
  if (!isClosed) wire.write(...joinSmall(gathered))
  burstBytes = wire.queuedBytes
  check()

  return {
    setPaused(paused) {
      if (isPaused && !paused) isWaitingForKeyframe = true
      isPaused = paused
    },
    close,
  }

  function send(message: MediaMessage): void {
    const { kind, timestampMs, isKeyframe, payload, configuration } = message
    if (isPaused) return
    if (kind === 'video' || !muxer.hasVideo) {
      if (isWaitingForKeyframe && !isKeyframe) return
      isWaitingForKeyframe = false
      beginning ??= message
    }
    if (!beginning || isBefore(beginning, message)) return
    const readerMs = timestampMs - beginning.timestampMs
    if (sentConfigurations[kind] !== configuration) sendConfiguration(kind, configuration, readerMs)
    write(headers[kind].next(readerMs, payload.length), payload.body)
  }

  function sendConfiguration(kind: MediaMessage['kind'], configuration: ChunkedPayload, readerMs: number): void {
    sentConfigurations[kind] = configuration
    write(headers[kind].next(readerMs, configuration.length), configuration.body)
  }

  function write(header: Buffer, body: Buffer): void {
    if (burst) burst.push(header, body)
    else wire.write(header, body)
  }

  function check(): void {
    if (isClosed) return
    const { queuedBytes } = wire
    member.note(queuedBytes)
    burstBytes = Math.min(burstBytes, queuedBytes)
    if (queuedBytes > burstBytes + maxQueuedBytes) cutOff('too-many-bytes')
  }

  function cutOff(why: string): void {
    if (isClosed) return
    close()
    options.onTooSlow(why)
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
    member.leave(() => wire.queuedBytes)
    subscription.close()
    onClosed()
  }
}

/** Pictures that are shown before the first one can't be decoded without what came before it (open groups). */
function isBefore(beginning: MediaMessage, { kind, timestampMs, presentationMs }: MediaMessage): boolean {
  return kind === 'video' ? presentationMs < beginning.presentationMs : timestampMs < beginning.timestampMs
}
