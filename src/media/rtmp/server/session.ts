import { systemClock } from '../../../core/clock.ts'
import { maskSecrets } from '../../../core/mask-secrets.ts'
import { ownerOfPath } from '../../../core/media-path.ts'
import { type Credentials } from '../../access.ts'
import { type Hub } from '../../hub.ts'
import { type Granted } from '../../listener.ts'
import { createPlayPace } from '../../play-pace.ts'
import { type ProtocolLog } from '../../protocol-server.ts'
import { type EndReason, type Publication } from '../../publication.ts'
import { MediaRefusal } from '../../refusal.ts'
import { type Turn } from '../../turn.ts'
import { type WaitingBytes } from '../../waiting-bytes.ts'
import { type RefusalLog } from '../../../observe/refusal-log.ts'
import { readAmf0 } from '../wire/amf0-reader.ts'
import { type AmfValue } from '../wire/amf0.ts'
import { amf0Of, type Command, parseCommand } from '../wire/command.ts'
import { userEvent, USER_EVENT } from '../wire/control-messages.ts'
import { MESSAGE, type RtmpMessage, RtmpProtocolError } from '../wire/message.ts'
import { acceptConnect, answerCreateStream, answerPolitely, rejectConnect } from './answers.ts'
import { findMetadata } from './metadata.ts'
import { type MuxerPool } from './muxer-pool.ts'
import { createPublicationInTurns, type PublicationInTurns } from './publication-in-turns.ts'
import { type Player, type PlayerEnd, startPlayer, type Wire } from './player.ts'
import { createPublisher, type Publisher } from './publisher.ts'
import { onStatus, toStatusError } from './status.ts'
import { type ConnectAddress, MAX_NAME_LENGTH, readStreamAddress, type StreamAddress } from './stream-address.ts'

/** How long a client may be silent depends on what it is doing. `idle`: between two streams. */
export type Phase = 'connecting' | 'idle' | 'publishing' | 'playing'

export interface SessionOptions {
  readonly hub: Pick<Hub, 'publish' | 'subscribe'>
  readonly muxers: MuxerPool
  /** The connection's. */
  readonly turn: Turn
  /** For what the client asked. */
  readonly answers: Pick<Wire, 'write'>
  /** For the stream that it plays. */
  readonly wire: Wire
  readonly remoteAddress: string
  readonly log: ProtocolLog
  readonly refusals: RefusalLog
  readonly now: () => number
  readonly waitingBytes: WaitingBytes
  readonly maxQueuedBytes: number
  readonly onGranted: (granted: Granted) => void
  /** Called when publishing or playing begins; also with each message of a publisher, which shows that it is alive. */
  readonly onPhase: (phase: Exclude<Phase, 'connecting'>) => void
  /** What was written should still go out, then the connection ends. */
  readonly onFinished: () => void
  /** The client takes nothing, so what was written is let go with the connection. */
  readonly onCutOff: () => void
}

/** What one client says and hears once the handshake is done. */
export interface Session {
  /** A promise when somebody else must be asked first; the next message has to wait for it. */
  handle(message: RtmpMessage): void | Promise<void>
  close(): void
}

type Role =
  | {
      readonly kind: 'publishing'
      readonly publication: Publication
      readonly inTurns: PublicationInTurns
      readonly publisher: Publisher
    }
  | { readonly kind: 'playing'; readonly path: string; readonly player: Player }

const MAX_STREAMS = 16
const TOO_LONG = `An address may have ${MAX_NAME_LENGTH} characters; shorten it.`

export function createSession(options: SessionOptions): Session {
  const { hub, muxers, turn, answers, wire, remoteAddress, log, refusals, now, onGranted, onPhase, onFinished } =
    options
  const plays = createPlayPace(systemClock)
  let address: ConnectAddress | undefined
  let role: Role | undefined
  let streams = 0
  let isClosed = false

  return {
    handle(message) {
      if (isClosed) return
      if (message.typeId !== MESSAGE.commandAmf0 && message.typeId !== MESSAGE.commandAmf3) return takeMedia(message)
      const command = parseCommand(message)
      return command && obey(command)
    },
    close() {
      isClosed = true
      leave()
    },
  }

  function takeMedia(message: RtmpMessage): void | Promise<void> {
    if (role?.kind !== 'publishing') return
    const { typeId, payload, timestamp } = message
    if (typeId === MESSAGE.video) role.publisher.video(payload, timestamp, now())
    else if (typeId === MESSAGE.audio) role.publisher.audio(payload, timestamp, now())
    else if (typeId === MESSAGE.dataAmf0 || typeId === MESSAGE.dataAmf3) {
      const metadata = findMetadata(readAmf0(amf0Of(message)))
      if (metadata) role.publisher.metadata(metadata)
    } else return
    onPhase('publishing')
    return role.inTurns.flush()
  }

  function obey(command: Command): void | Promise<void> {
    if (!address && command.name !== 'connect') throw new RtmpProtocolError('The first command must be connect.')
    switch (command.name) {
      case 'connect':
        return connect(command)
      case 'createStream':
        if (++streams > MAX_STREAMS) throw new RtmpProtocolError('There are too many streams on one connection.')
        return answers.write(answerCreateStream(command, streams))
      case 'publish':
        return publish(command)
      case 'play':
        return play(command)
      case 'pause':
        return pause(command)
      case 'deleteStream':
      case 'closeStream':
      case 'FCUnpublish':
        return unpublish(command)
      default:
        return answers.write(...answerPolitely(command))
    }
  }

  function connect(command: Command): void {
    if (address) return
    const [app, tcUrl] = [text(command.object['app']), text(command.object['tcUrl'])]
    const isTooLong = app.length > MAX_NAME_LENGTH || tcUrl.length > MAX_NAME_LENGTH
    if (isTooLong || (app === '' && tcUrl === '')) {
      answers.write(
        ...rejectConnect(command, isTooLong ? TOO_LONG : 'Connect to rtmp://host/<username>/<stream path>.'),
      )
      return onFinished()
    }
    address = { app, tcUrl }
    answers.write(...acceptConnect(command))
  }

  /** What a command names; undefined once it was refused for its length. */
  function addressOf(action: 'publish' | 'play', { streamId, values }: Command): StreamAddress | undefined {
    const name = text(values[0])
    if (name.length <= MAX_NAME_LENGTH) return readStreamAddress(address!, name)
    refuse(action, streamId, '', new MediaRefusal('path-invalid', TOO_LONG))
    return undefined
  }

  async function publish(command: Command): Promise<void> {
    const { streamId } = command
    const stream = addressOf('publish', command)
    if (!stream) return
    const { path, credentials } = stream
    try {
      if (role) throw new MediaRefusal('path-in-use', 'This connection has a stream already; open another one.')
      const publication = await hub.publish(path, request(credentials))
      if (isClosed) return publication.close()
      onGranted(publication)
      publication.onEnd((reason) => lose(streamId, reason))
      const inTurns = createPublicationInTurns(publication, turn, () => isClosed || onPhase('publishing'))
      role = { kind: 'publishing', publication, inTurns, publisher: createPublisher({ publication: inTurns, log }) }
    } catch (error) {
      return refuse('publish', streamId, path, error)
    }
    onPhase('publishing')
    answers.write(
      userEvent(USER_EVENT.streamBegin, streamId),
      onStatus(streamId, 'status', 'NetStream.Publish.Start', 'Send your stream.'),
    )
    log.info(fields(path), 'A publisher has come.')
  }

  async function play(command: Command): Promise<void> {
    const { streamId } = command
    const stream = addressOf('play', command)
    if (!stream) return
    const { path, credentials } = stream
    try {
      if (role) throw new MediaRefusal('path-in-use', 'This connection has a stream already; open another one.')
      await plays.take()
      const subscription = await hub.subscribe(path, request(credentials))
      await subscription.turn()
      if (isClosed) return subscription.close()
      const muxer = muxers.take(subscription.path, subscription.description)
      if (!muxer) throw new MediaRefusal('not-live', `RTMP can't carry what is published to ${path}; read it by RTSP.`)
      onGranted(subscription)
      onPhase('playing')
      answers.write(
        userEvent(USER_EVENT.streamBegin, streamId),
        onStatus(streamId, 'status', 'NetStream.Play.Reset', 'The stream begins anew.'),
        onStatus(streamId, 'status', 'NetStream.Play.Start', 'The stream begins.'),
      )
      log.info(fields(path), 'A reader has come.')
      const player = startPlayer({
        subscription,
        muxer,
        wire,
        streamId,
        maxQueuedBytes: options.maxQueuedBytes,
        joinWaiting: (end) => options.waitingBytes.join(ownerOfPath(subscription.path), end),
        onClosed: () => muxers.giveBack(subscription.path),
        onStopped: (why, error) => finishPlaying(path, why, error),
        onTooSlow: (why) => cutOff(path, why),
      })
      role = { kind: 'playing', path, player }
    } catch (error) {
      refuse('play', streamId, path, error)
    }
  }

  function pause({ streamId, values }: Command): void {
    if (role?.kind !== 'playing') return
    const isPaused = values[0] === true
    role.player.setPaused(isPaused)
    const code = isPaused ? 'NetStream.Pause.Notify' : 'NetStream.Unpause.Notify'
    answers.write(onStatus(streamId, 'status', code, isPaused ? 'Paused.' : 'Going on.'))
  }

  function unpublish({ streamId }: Command): void {
    if (!role) return
    if (role.kind === 'publishing') {
      answers.write(onStatus(streamId, 'status', 'NetStream.Unpublish.Success', 'The stream has ended.'))
    }
    leave()
    onPhase('idle')
  }

  function leave(): void {
    if (role?.kind === 'publishing') {
      log.info(fields(role.publication.path), 'A publisher has left.')
      role.publication.close()
    }
    if (role?.kind === 'playing') {
      log.info(fields(role.path), 'A reader has left.')
      role.player.close()
    }
    role = undefined
  }

  /** The hub has ended the publication. */
  function lose(streamId: number, reason: EndReason): void {
    answers.write(onStatus(streamId, 'error', 'NetStream.Publish.BadName', WHY_ENDED[reason]))
    onFinished()
  }

  function finishPlaying(path: string, why: PlayerEnd, error: unknown): void {
    if (why === 'failed')
      log.warn({ ...fields(path), err: error }, 'A reader was let go: the stream could not be turned into RTMP.')
    onFinished()
  }

  function cutOff(path: string, why: string): void {
    log.warn({ ...fields(path), why, queuedBytes: wire.queuedBytes }, 'A reader was too slow.')
    options.onCutOff()
  }

  function refuse(action: 'publish' | 'play', streamId: number, path: string, error: unknown): void {
    if (isClosed) return
    const status = toStatusError(action, error)
    if (status)
      refusals.note({ ...fields(path), code: status.code }, `A client was refused: ${maskSecrets(status.description)}`)
    else log.warn({ ...fields(path), err: error }, `A client could not ${action}.`)
    const code = action === 'publish' ? 'NetStream.Publish.Denied' : 'NetStream.Play.Failed'
    const description = status?.description ?? 'The media server has a problem; try again.'
    answers.write(onStatus(streamId, 'error', status?.code ?? code, description))
    onFinished()
  }

  function request(credentials: Credentials) {
    return { credentials, remoteAddress, protocol: 'rtmp' } as const
  }

  /** People put keys where the name belongs. */
  function fields(path: string) {
    return { path: maskSecrets(path), remoteAddress }
  }
}

const WHY_ENDED: Readonly<Record<EndReason, string>> = {
  'publisher-left': 'The stream has ended.',
  'taken-over': 'You have come again on another connection.',
  expelled: 'Your key or token is no longer good for this stream.',
  'server-stopping': 'The server stops.',
}

const text = (value: AmfValue): string => (typeof value === 'string' ? value : '')
