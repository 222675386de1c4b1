import { type Duplex } from 'node:stream'
import { CHUNK_LIMITS, CHUNK_LIMITS_BEFORE_GRANT, createChunkParser } from '../rtmp-client/chunk-parser.ts'
import { acknowledgement, userEvent, USER_EVENT } from '../rtmp-client/control-messages.ts'
import { createDeadline } from '../../core/deadline.ts'
import { MESSAGE, type RtmpMessage, RtmpProtocolError } from '../rtmp-client/message.ts'
import { ACKNOWLEDGEMENT_WINDOW } from './answers.ts'
import { createHandshake } from './handshake.ts'
import { createSession, type Phase, type SessionOptions } from './session.ts'

export interface ConnectionOptions extends Pick<
  SessionOptions,
  'hub' | 'muxers' | 'log' | 'refusals' | 'now' | 'remoteAddress' | 'maxQueuedBytes'
> {
  readonly socket: Duplex
  readonly timeouts: Timeouts
  /** It was let publish or play; until then whoever made the connection says how long it may take. */
  readonly onGranted: () => void
  readonly onClosed: () => void
}

export interface Timeouts {
  /** From the end of a stream until the connection begins another. */
  readonly idleMs: number
  /** How long a publisher may send nothing. */
  readonly publisherMs: number
}

/** One client: its bytes in, ours out. */
export interface Connection {
  /** Lets what was written go out, then ends. */
  close(): void
}

/** How long a client has to take what it was told last. */
const LINGER_MS = 1000
/** Answers to commands are small: more of them waiting means that the client doesn't read. */
const MAX_QUEUED_ANSWERS = 1024 * 1024
const MAX_QUEUED_BEFORE_GRANT = 64 * 1024

export function createConnection(options: ConnectionOptions): Connection {
  const { socket, remoteAddress, log, refusals, timeouts, maxQueuedBytes, onGranted, onClosed } = options
  const handshake = createHandshake()
  const parser = createChunkParser(CHUNK_LIMITS_BEFORE_GRANT)
  const deadline = createDeadline(() => giveUp(new RtmpProtocolError(`Nothing came in time while ${phase}.`)))
  const wire = {
    write(...buffers: readonly Buffer[]): void {
      if (isFinishing || buffers.length === 0) return
      socket.cork()
      for (const buffer of buffers) socket.write(buffer)
      socket.uncork()
    },
    get queuedBytes() {
      return socket.writableLength
    },
  }
  const session = createSession({ ...options, wire, onPhase, onFinished: finish })
  /** Messages that came with the same bytes as one that must be waited for. */
  const queue: RtmpMessage[] = []
  let phase: Phase = 'connecting'
  let isGranted = false
  let isGreeted = false
  let isWaiting = false
  let isFinishing = false
  let bytesReceived = 0
  let acknowledgedAt = 0
  let acknowledgementWindow = ACKNOWLEDGEMENT_WINDOW

  socket.on('data', (data: Buffer) => attempt(() => receive(data)))
  socket.on('end', finish)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => {
    isFinishing = true
    deadline.clear()
    session.close()
    onClosed()
  })

  return { close: finish }

  function receive(data: Buffer): void {
    if (isFinishing) return
    bytesReceived += data.length
    if (isGreeted) return take(data)
    const { reply, rest } = handshake.push(data)
    if (reply) wire.write(reply)
    if (!rest) return
    isGreeted = true
    take(rest)
  }

  function take(data: Buffer): void {
    queue.push(...parser.push(data))
    work()
    acknowledge()
    const maxQueuedAnswers = isGranted ? MAX_QUEUED_ANSWERS + maxQueuedBytes : MAX_QUEUED_BEFORE_GRANT
    if (phase !== 'playing' && wire.queuedBytes > maxQueuedAnswers) {
      throw new RtmpProtocolError('The client sends commands and takes no answers.')
    }
  }

  function work(): void {
    while (!isWaiting && !isFinishing && queue.length > 0) {
      const pending = handle(queue.shift()!)
      if (!pending) continue
      isWaiting = true
      socket.pause()
      pending.then(goOn, giveUp)
    }
  }

  function goOn(): void {
    isWaiting = false
    socket.resume()
    attempt(work)
  }

  function handle(message: RtmpMessage): void | Promise<void> {
    const { typeId, payload } = message
    switch (typeId) {
      case MESSAGE.acknowledgement:
      case MESSAGE.setPeerBandwidth:
        return
      case MESSAGE.windowAcknowledgementSize:
        if (payload.length >= 4) acknowledgementWindow = Math.max(1, payload.readUInt32BE())
        return
      case MESSAGE.userControl:
        if (payload.length >= 6 && payload.readUInt16BE() === USER_EVENT.pingRequest) {
          wire.write(userEvent(USER_EVENT.pingResponse, payload.readUInt32BE(2)))
        }
        return
      default:
        return session.handle(message)
    }
  }

  /** RTMP 1.0 §5.4.3: some encoders stop sending until they hear how much has arrived. */
  function acknowledge(): void {
    if (bytesReceived - acknowledgedAt < acknowledgementWindow) return
    acknowledgedAt = bytesReceived
    wire.write(acknowledgement(bytesReceived))
  }

  function onPhase(next: Phase): void {
    phase = next
    if (phase === 'publishing') deadline.set(timeouts.publisherMs)
    else if (phase === 'idle') deadline.set(timeouts.idleMs)
    else deadline.clear()
    if (isGranted) return
    isGranted = true
    parser.setLimits(CHUNK_LIMITS)
    onGranted()
  }

  function attempt(act: () => void): void {
    try {
      act()
    } catch (error) {
      giveUp(error)
    }
  }

  function giveUp(error: unknown): void {
    if (error instanceof RtmpProtocolError) refusals.note({ remoteAddress }, `A connection was ended: ${error.message}`)
    else log.warn({ remoteAddress, err: error }, 'A connection was ended by an error of ours.')
    socket.destroy()
  }

  function finish(): void {
    if (isFinishing) return
    isFinishing = true
    queue.length = 0
    session.close()
    socket.end()
    // What the client still sends is read and dropped: unread bytes would turn the end into a reset.
    socket.resume()
    const linger = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(linger))
  }
}
