import { createDeadline } from '../../../core/deadline.ts'
import { type TimeSlice } from '../../time-slice.ts'
import { CHUNK_LIMITS } from '../wire/chunk-limits.ts'
import { ACKNOWLEDGEMENT_WINDOW, setBufferLength, windowAcknowledgementSize } from '../wire/control-messages.ts'
import { MESSAGE, type RtmpMessage } from '../wire/message.ts'
import { parseRtmpAddress, type RtmpAddress } from './rtmp-address.ts'
import { openSession, type RtmpClientOptions, type RtmpClientRole, type RtmpClientSession } from './session.ts'

/** Plays one stream of somebody's RTMP server: its messages go to the sink until it ends. */
export interface RtmpPlayer {
  /** Called once with a sentence, unless we closed. */
  onEnd(handler: (reason: string) => void): void
  /** Nothing goes to the sink any more. Resolves when the socket is closed, which takes a second at most. */
  close(): Promise<void>
}

export interface RtmpPlayerOptions extends RtmpClientOptions {
  /** Gets video, audio and metadata. While its promise is pending nothing is read; what it throws ends the connection. */
  readonly sink: (message: RtmpMessage) => void | Promise<void>
  /** How long no video may come. */
  readonly silenceMs: number
  /** Shared with the sink where it works in turns. */
  readonly slice?: TimeSlice
}

/** As players of the field introduce themselves; the list is how servers know that H.265 may be sent (Enhanced RTMP). */
const INTRODUCTION = {
  flashVer: 'LNX 9,0,124,2 (compatible; Aerie)',
  fpad: false,
  capabilities: 15,
  audioCodecs: 4071,
  videoCodecs: 252,
  videoFunction: 1,
  fourCcList: ['avc1', 'hvc1', 'mp4a'],
}
/** As short as servers take it: what is played is live. */
const BUFFER_MS = 1_000
/** For a live stream of that name, or else a recorded one; in milliseconds, as all players say it though RTMP 1.0 §7.2.2.1 differs. */
const LIVE_OR_RECORDED = -2_000

/** Resolves when the server has begun to send; rejects with a sentence. */
export async function openRtmpPlayer(url: string, options: RtmpPlayerOptions): Promise<RtmpPlayer> {
  return openSession(parseRtmpAddress(url), playerRole(options), options)
}

type PlayOptions = Pick<RtmpPlayerOptions, 'sink' | 'silenceMs'>

export const playerRole = (options: PlayOptions): RtmpClientRole<RtmpPlayer> => ({
  introduction: INTRODUCTION,
  incomingLimits: CHUNK_LIMITS,
  start: (session, address) => startPlaying(session, address, options),
})

async function startPlaying(
  { connection, calls }: RtmpClientSession,
  { name, label }: RtmpAddress,
  { sink, silenceMs }: PlayOptions,
): Promise<RtmpPlayer> {
  const seconds = silenceMs / 1000
  const silence = createDeadline(() => connection.end(isSoundOnly ? sayNoVideo() : sayNothing()))
  let isSoundOnly = false
  let isOver = false

  connection.outbox.send(windowAcknowledgementSize(ACKNOWLEDGEMENT_WINDOW))
  const streamId = await calls.createStream()
  connection.outbox.send(setBufferLength(streamId, BUFFER_MS))
  const started = calls.begin(streamId, 'play', name, LIVE_OR_RECORDED)
  connection.onMedia(take)
  connection.onEnd(stop)
  await started.promise
  expectVideo()

  return {
    onEnd: (handler) => connection.onEnd(handler),
    close() {
      if (!isOver) calls.notify(0, 'deleteStream', null, streamId)
      stop()
      return connection.close()
    },
  }

  function take(message: RtmpMessage): void | Promise<void> {
    if (isOver) return
    // Some servers send the stream instead of saying that it begins.
    started.resolve()
    const pending = sink(message)
    if (message.typeId === MESSAGE.audio) isSoundOnly = true
    if (message.typeId !== MESSAGE.video) return pending
    isSoundOnly = false
    if (!pending) return expectVideo()
    // Meanwhile nothing is read, so nothing can come.
    silence.clear()
    return pending.then(expectVideo)
  }

  function expectVideo(): void {
    if (!isOver) silence.set(silenceMs)
  }

  function stop(): void {
    isOver = true
    silence.clear()
  }

  function sayNothing(): string {
    return `${label} has sent nothing for ${seconds} s; check that its sender is running.`
  }

  function sayNoVideo(): string {
    return `${label} has sent no video for ${seconds} s, only sound.`
  }
}
