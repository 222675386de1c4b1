import { MediaRefusal } from '../../refusal.ts'
import { type AmfValue } from '../wire/amf0.ts'
import { type Command, parseCommand } from '../wire/command.ts'
import { MESSAGE, type RtmpMessage, RtmpProtocolError } from '../wire/message.ts'
import { acceptConnect, answerCreateStream, answerUnknown, rejectConnect } from './answers.ts'
import { type SessionRole, type SessionRoleOptions } from './session-role.ts'
import { type ConnectAddress, MAX_NAME_LENGTH, readStreamAddress } from './stream-address.ts'

export interface SessionOptions extends Pick<SessionRoleOptions, 'answers' | 'onFinished'> {
  readonly role: SessionRole
  readonly isEncrypted: boolean
}

/** The commands of one client and their answers, once the handshake is done. */
export interface Session {
  /** A promise when others must be asked first; the next message has to wait for it. */
  handle(message: RtmpMessage): void | Promise<void>
  close(): void
}

const MAX_STREAMS = 16
const TOO_LONG = `An address may have ${MAX_NAME_LENGTH} characters; shorten it.`

export function createSession({ role, isEncrypted, answers, onFinished }: SessionOptions): Session {
  /** Known once the client has connected. */
  let address: ConnectAddress | undefined
  let streams = 0
  let isClosed = false

  return {
    handle(message) {
      if (isClosed) return
      if (message.typeId !== MESSAGE.commandAmf0 && message.typeId !== MESSAGE.commandAmf3) return role.handle(message)
      const command = parseCommand(message)
      return command && dispatch(command)
    },
    close() {
      isClosed = true
      role.close()
    },
  }

  function dispatch(command: Command): void | Promise<void> {
    if (command.name === 'connect') return connect(command)
    if (!address) throw new RtmpProtocolError('The first command must be connect.')
    switch (command.name) {
      case 'createStream':
        if (++streams > MAX_STREAMS) throw new RtmpProtocolError('There are too many streams on one connection.')
        return answers.write(answerCreateStream(command, streams))
      case 'publish':
      case 'play':
        return begin(command.name, command, address)
      case 'pause':
        return role.setPaused(command.streamId, command.values[0] === true)
      case 'deleteStream':
      case 'closeStream':
      case 'FCUnpublish':
        return role.end(command.streamId)
      default:
        return answers.write(...answerUnknown(command))
    }
  }

  function connect(command: Command): void {
    if (address) return
    const [app, tcUrl] = [text(command.object['app']), text(command.object['tcUrl'])]
    const isTooLong = app.length > MAX_NAME_LENGTH || tcUrl.length > MAX_NAME_LENGTH
    if (isTooLong || (app === '' && tcUrl === '')) {
      const why = isTooLong ? TOO_LONG : `Connect to ${isEncrypted ? 'rtmps' : 'rtmp'}://host/<username>/<stream path>.`
      answers.write(...rejectConnect(command, why))
      return onFinished()
    }
    address = { app, tcUrl }
    answers.write(...acceptConnect(command))
  }

  function begin(action: 'publish' | 'play', { streamId, values }: Command, connected: ConnectAddress) {
    const name = text(values[0])
    if (name.length <= MAX_NAME_LENGTH) return role[action](streamId, readStreamAddress(connected, name))
    return role.refuse(action, streamId, '', new MediaRefusal('path-invalid', TOO_LONG))
  }
}

const text = (value: AmfValue): string => (typeof value === 'string' ? value : '')
