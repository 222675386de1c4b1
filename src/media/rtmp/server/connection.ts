import { type Duplex } from 'node:stream'
import { systemClock } from '../../../core/clock.ts'
import { createDeadline } from '../../../core/deadline.ts'
import { TooManyPartsError } from '../../rtp/part-limit.ts'
import { createTimeSlice } from '../../time-slice.ts'
import { CHUNK_LIMITS, CHUNK_LIMITS_BEFORE_ACCEPTANCE } from '../wire/chunk-limits.ts'
import { MESSAGE, type RtmpMessage, RtmpProtocolError } from '../wire/message.ts'
import { createClientLimits } from './client-limits.ts'
import { createServerHandshake } from './handshake.ts'
import { createIncomingMessages } from '../wire/incoming-messages.ts'
import { type RtmpTimeouts } from './limits.ts'
import { createMessageLoop, MAX_PER_SLICE } from '../wire/message-loop.ts'
import { createOutgoing } from './outgoing.ts'
import { createProtocolControl } from '../wire/protocol-control.ts'
import { createSession } from './session.ts'
import { createSessionRole, type RolePhase, type SessionRoleOptions } from './session-role.ts'

export interface ConnectionOptions extends Pick<
  SessionRoleOptions,
  | 'hub'
  | 'muxers'
  | 'log'
  | 'refusals'
  | 'now'
  | 'remoteAddress'
  | 'waitingBytes'
  | 'maxQueuedBytes'
  | 'onCameraCalled'
  | 'onAccepted'
> {
  readonly socket: Duplex
  readonly isEncrypted: boolean
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

/** How long a client has to take what was written last. */
const LINGER_MS = 1000

export function createConnection(options: ConnectionOptions): Connection {
  const { socket, isEncrypted, remoteAddress, log, refusals, timeouts, onStreaming, onClosed } = options
  const handshake = createServerHandshake()
  const incoming = createIncomingMessages(CHUNK_LIMITS_BEFORE_ACCEPTANCE)
  const limits = createClientLimits(systemClock)
  const outgoing = createOutgoing(socket)
  const { answers } = outgoing
  const control = createProtocolControl({ answers, onPing: () => limits.countRequest() })
  const slice = createTimeSlice(MAX_PER_SLICE)
  const loop = createMessageLoop({ incoming, slice, socket, handle, onError: giveUp })
  const deadline = createDeadline(() => giveUp(new RtmpProtocolError(`Nothing came in time while ${phase}.`)))
  const role = createSessionRole({
    ...options,
    slice,
    answers,
    mediaSocket: outgoing.media,
    onPhase,
    onFinished: finish,
    onCutOff: () => socket.destroy(),
  })
  const session = createSession({ role, isEncrypted, answers, onFinished: finish })
  /** How long a client may be silent depends on it. */
  let phase: RolePhase | 'connecting' = 'connecting'
  let isGreeted = false
  let isFinishing = false

  socket.on('data', receive)
  socket.on('end', finish)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => {
    stop()
    deadline.clear()
    session.close()
    onClosed()
  })

  return { close: finish }

  function receive(data: Buffer): void {
    if (isFinishing) return
    try {
      control.countReceived(data.length)
      limits.countBytes(data.length)
      const messages = isGreeted ? data : greet(data)
      if (messages) take(messages)
    } catch (error) {
      giveUp(error)
    }
  }

  /** What follows the handshake; undefined until it is done. */
  function greet(data: Buffer): Buffer | undefined {
    const { reply, rest } = handshake.push(data)
    if (reply) answers.write(reply)
    isGreeted = rest !== undefined
    return rest
  }

  function take(data: Buffer): void {
    incoming.push(data)
    loop.run()
    control.acknowledge()
    limits.checkQueuedAnswers(outgoing.queuedAnswerBytes)
  }

  function handle(message: RtmpMessage): void | Promise<void> {
    limits.countMessage()
    const isCommand = message.typeId === MESSAGE.commandAmf0 || message.typeId === MESSAGE.commandAmf3
    if (isCommand) limits.countRequest()
    const pending = control.handle(message) ? undefined : session.handle(message)
    limits.checkQueuedAnswers(outgoing.queuedAnswerBytes)
    return pending
  }

  function onPhase(next: RolePhase): void {
    if (phase === 'connecting') {
      limits.accept()
      incoming.setLimits(CHUNK_LIMITS)
    }
    if (phase !== next) onStreaming(next !== 'idle')
    phase = next
    if (phase === 'publishing') deadline.set(timeouts.publisherMs)
    else if (phase === 'idle') deadline.set(timeouts.idleMs)
    else deadline.clear()
  }

  function giveUp(error: unknown): void {
    const isTheirs = error instanceof RtmpProtocolError || error instanceof TooManyPartsError
    if (isTheirs) refusals.note({ remoteAddress }, `A connection was ended: ${error.message}`)
    else log.warn({ remoteAddress, err: error }, 'A connection was ended by an error of ours.')
    socket.destroy()
  }

  function stop(): void {
    isFinishing = true
    loop.stop()
    outgoing.stop()
  }

  function finish(): void {
    if (isFinishing) return
    stop()
    session.close()
    socket.end()
    // What the client still sends is read and dropped: unread bytes would turn the end into a reset.
    socket.resume()
    const linger = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(linger))
  }
}
