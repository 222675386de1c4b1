import { type Duplex } from 'node:stream'
import { setImmediate as nextRound } from 'node:timers/promises'
import { CHUNK_LIMITS, CHUNK_LIMITS_BEFORE_GRANT } from '../wire/chunk-parser.ts'
import { acknowledgement, ACKNOWLEDGEMENT_WINDOW, userEvent, USER_EVENT } from '../wire/control-messages.ts'
import { createAllowance } from '../../../core/allowance.ts'
import { systemClock } from '../../../core/clock.ts'
import { createDeadline } from '../../../core/deadline.ts'
import { MESSAGE, type RtmpMessage, RtmpProtocolError } from '../wire/message.ts'
import { TooManyPartsError } from '../../rtp/part-limit.ts'
import { createTurn } from '../../turn.ts'
import { createWriteQueue } from '../../write-queue.ts'
import { createServerHandshake } from './handshake.ts'
import { createIncomingMessages } from './incoming-messages.ts'
import { type RtmpTimeouts } from './limits.ts'
import { createSession, type Phase, type SessionOptions } from './session.ts'

export interface ConnectionOptions extends Pick<
  SessionOptions,
  'hub' | 'muxers' | 'log' | 'refusals' | 'now' | 'remoteAddress' | 'waitingBytes' | 'maxQueuedBytes' | 'onGranted'
> {
  readonly socket: Duplex
  readonly timeouts: RtmpTimeouts
  /** It publishes or plays from now on, or does so no more. */
  readonly onStreaming: (isStreaming: boolean) => void
  readonly onClosed: () => void
}

/** One client: its bytes in, ours out. */
export interface Connection {
  /** Lets what was written go out, then ends. */
  close(): void
}

/** Commands and pings. Clients send about a dozen when they begin, and next to nothing afterwards; some are work for others. */
const QUESTIONS = { burst: 100, perSecond: 100 }
/** How long a client has to take what it was told last. */
const LINGER_MS = 1000
/** Answers are small: more of them waiting means that the client doesn't read. What it plays is counted elsewhere. */
const MAX_QUEUED_ANSWER_BYTES = { beforeGrant: 64 * 1024, afterwards: 1024 * 1024 }
/** Encoders and players send about a dozen messages of a few hundred bytes until they are granted a stream. */
const MAX_MESSAGES_BEFORE_GRANT = 256
const MAX_BYTES_BEFORE_GRANT = 256 * 1024
/** Chunks that make no message are work too: headers alone, or of a byte each. */
const MAX_CHUNKS_A_STEP = 256
const MAX_IN_A_TURN = { maxSteps: 256, maxMs: 5 }

export function createConnection(options: ConnectionOptions): Connection {
  const { socket, remoteAddress, log, refusals, timeouts, onStreaming, onClosed } = options
  const handshake = createServerHandshake()
  const incoming = createIncomingMessages(CHUNK_LIMITS_BEFORE_GRANT)
  const questions = createAllowance(QUESTIONS, systemClock)
  const turn = createTurn(MAX_IN_A_TURN)
  const deadline = createDeadline(() => giveUp(new RtmpProtocolError(`Nothing came in time while ${phase}.`)))
  const queue = createWriteQueue(socket)
  const wire = {
    write: (...buffers: readonly Buffer[]) => send(buffers),
    get queuedBytes() {
      return queue.heldBytes
    },
  }
  const answers = {
    write(...buffers: readonly Buffer[]): void {
      const bytes = buffers.reduce((sum, { length }) => sum + length, 0)
      queuedAnswerBytes += bytes
      send(buffers, () => (queuedAnswerBytes -= bytes))
    },
  }
  const session = createSession({
    ...options,
    turn,
    wire,
    answers,
    onPhase,
    onFinished: finish,
    onCutOff: () => socket.destroy(),
  })
  let phase: Phase = 'connecting'
  let isGranted = false
  let isGreeted = false
  let isWaiting = false
  let isFinishing = false
  let messagesBeforeGrant = 0
  let queuedAnswerBytes = 0
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
    if (!isGranted && bytesReceived > MAX_BYTES_BEFORE_GRANT) throw tooMuchBeforeGrant()
    if (isGreeted) return take(data)
    const { reply, rest } = handshake.push(data)
    if (reply) answers.write(reply)
    if (!rest) return
    isGreeted = true
    take(rest)
  }

  function take(data: Buffer): void {
    incoming.push(data)
    work()
    acknowledge()
  }

  /** Until a message has to be waited for, or it is the others' turn. */
  function work(): void {
    while (!isWaiting && !isFinishing) {
      const message = incoming.next(MAX_CHUNKS_A_STEP)
      if (!message && !incoming.hasMore) return
      if (!message) {
        if (turn.isOverAfterStep()) waitFor(nextRound())
        continue
      }
      if (!isGranted && ++messagesBeforeGrant > MAX_MESSAGES_BEFORE_GRANT) throw tooMuchBeforeGrant()
      const pending = handle(message)
      checkAnswers()
      if (pending) waitFor(pending)
      else if (turn.isOverAfterStep()) waitFor(nextRound())
    }
  }

  function waitFor(pending: Promise<void>): void {
    isWaiting = true
    socket.pause()
    pending.then(goOn, giveUp)
  }

  function goOn(): void {
    isWaiting = false
    attempt(work)
    if (!isWaiting) socket.resume()
  }

  function tooMuchBeforeGrant(): RtmpProtocolError {
    return new RtmpProtocolError('So much was sent, and nothing published or played.')
  }

  function checkAnswers(): void {
    const { beforeGrant, afterwards } = MAX_QUEUED_ANSWER_BYTES
    if (queuedAnswerBytes <= (isGranted ? afterwards : beforeGrant)) return
    throw new RtmpProtocolError('The client sends commands and takes no answers.')
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
          countQuestion()
          answers.write(userEvent(USER_EVENT.pingResponse, payload.readUInt32BE(2)))
        }
        return
      case MESSAGE.commandAmf0:
      case MESSAGE.commandAmf3:
        countQuestion()
        return session.handle(message)
      default:
        return session.handle(message)
    }
  }

  function countQuestion(): void {
    if (!questions.take())
      throw new RtmpProtocolError(`The client asks for more than ${QUESTIONS.perSecond} things in a second.`)
  }

  /** RTMP 1.0 §5.4.3: some encoders stop sending until they hear how much has arrived. */
  function acknowledge(): void {
    if (bytesReceived - acknowledgedAt < acknowledgementWindow) return
    acknowledgedAt = bytesReceived
    answers.write(acknowledgement(bytesReceived))
    checkAnswers()
  }

  function onPhase(next: Phase): void {
    if (phase !== next) onStreaming(next !== 'idle')
    phase = next
    if (phase === 'publishing') deadline.set(timeouts.publisherMs)
    else if (phase === 'idle') deadline.set(timeouts.idleMs)
    else deadline.clear()
    if (isGranted) return
    isGranted = true
    incoming.setLimits(CHUNK_LIMITS)
  }

  function send(buffers: readonly Buffer[], onSent?: () => void): void {
    if (isFinishing || buffers.length === 0) return onSent?.()
    socket.cork()
    for (const [index, buffer] of buffers.entries())
      queue.write(buffer, index === buffers.length - 1 ? onSent : undefined)
    socket.uncork()
  }

  function attempt(act: () => void): void {
    try {
      act()
    } catch (error) {
      giveUp(error)
    }
  }

  function giveUp(error: unknown): void {
    const isTheirs = error instanceof RtmpProtocolError || error instanceof TooManyPartsError
    if (isTheirs) refusals.note({ remoteAddress }, `A connection was ended: ${error.message}`)
    else log.warn({ remoteAddress, err: error }, 'A connection was ended by an error of ours.')
    socket.destroy()
  }

  function finish(): void {
    if (isFinishing) return
    isFinishing = true
    session.close()
    socket.end()
    // What the client still sends is read and dropped: unread bytes would turn the end into a reset.
    socket.resume()
    const linger = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(linger))
  }
}
