import { type Deferred } from '../../../core/deferred.ts'
import { type AmfValue } from '../wire/amf0.ts'
import { writeAmf0 } from '../wire/amf0-writer.ts'
import { CHUNK_STREAM, INITIAL_CHUNK_SIZE, writeMessage } from '../wire/chunk-writer.ts'
import { type Command } from '../wire/command.ts'
import { type RtmpClientConnection } from './connection.ts'
import { setChunkSize } from '../wire/control-messages.ts'
import { MESSAGE } from '../wire/message.ts'
import { readInformation, RtmpClientError, RtmpRefusal } from './server-sentence.ts'

/** Commands to a server, and its answers to them. */
export interface Calls {
  /** The values behind the command object of the answer. Rejects with a sentence when the server says no. */
  call(name: string, ...values: readonly AmfValue[]): Promise<readonly AmfValue[]>
  /** Without waiting for an answer: to some commands many servers give none, or an error that means nothing. */
  notify(streamId: number, name: string, ...values: readonly AmfValue[]): void
  /** The stream's id. */
  createStream(): Promise<number>
  /**
   * What is answered by a status of the stream (RTMP 1.0 §7.2.2). The caller may resolve it, too, where something else shows that
   * it has begun.
   */
  begin(streamId: number, role: Role, ...values: readonly AmfValue[]): Deferred<void>
  /** Announces it to the server, and does so from then on. */
  useChunkSize(bytes: number): void
}

type Role = 'publish' | 'play'

export interface CallsOptions {
  readonly connection: RtmpClientConnection
  readonly label: string
  readonly secrets: readonly string[]
}

interface Pending {
  resolve(values: readonly AmfValue[]): void
  reject(error: Error): void
}

const BEGUN: readonly AmfValue[] = ['NetStream.Publish.Start', 'NetStream.Play.Start']
/** A stream's end that is no error. */
const OVER: readonly AmfValue[] = [
  'NetStream.Unpublish.Success',
  'NetStream.Play.UnpublishNotify',
  'NetStream.Play.Stop',
  'NetStream.Play.Complete',
  'NetConnection.Connect.Closed',
]

export function createCalls({ connection, label, secrets }: CallsOptions): Calls {
  const pending = new Map<number, Pending>()
  let begun: Deferred<void> | undefined
  let lastTransaction = 0
  let chunkSize = INITIAL_CHUNK_SIZE

  connection.onCommand((command) => {
    if (command.name === '_result') answer(command)
    else if (command.name === '_error') refuse(command)
    else if (command.name === 'onStatus') status(command)
    else if (command.name === 'close') connection.end(`${label} closed the connection.`)
  })

  function answer({ transactionId, values }: Command): void {
    const call = pending.get(transactionId)
    pending.delete(transactionId)
    const information = readInformation(values)
    if (information['level'] === 'error') call?.reject(new RtmpRefusal(label, information, secrets))
    else call?.resolve(values)
  }

  function refuse({ transactionId, values }: Command): void {
    pending.get(transactionId)?.reject(new RtmpRefusal(label, readInformation(values), secrets))
    pending.delete(transactionId)
  }

  function status({ values }: Command): void {
    const information = readInformation(values)
    const code = information['code']
    if (BEGUN.includes(code)) begun?.resolve()
    else if (information['level'] === 'error' || OVER.includes(code)) {
      const refusal = new RtmpRefusal(label, information, secrets)
      begun?.reject(refusal)
      connection.end(refusal.message)
    }
  }

  function send(streamId: number, name: string, values: readonly AmfValue[]): number {
    const payload = writeAmf0(name, ++lastTransaction, ...values)
    const message = { typeId: MESSAGE.commandAmf0, streamId, payload }
    connection.outbox.send(writeMessage(CHUNK_STREAM.command, message, chunkSize))
    return lastTransaction
  }

  function call(name: string, ...values: readonly AmfValue[]): Promise<readonly AmfValue[]> {
    const deferred = connection.awaits<readonly AmfValue[]>(name)
    pending.set(send(0, name, values), deferred)
    return deferred.promise
  }

  return {
    call,
    notify: (streamId, name, ...values) => void send(streamId, name, values),
    async createStream() {
      const [streamId] = await call('createStream', null)
      if (!isStreamId(streamId)) throw new RtmpClientError(`${label} answered createStream without a stream.`)
      return streamId
    },
    begin(streamId, role, ...values) {
      const started = connection.awaits<void>(role)
      begun = started
      // Its result says nothing yet, but an error does.
      pending.set(send(streamId, role, [null, ...values]), { ...started, resolve: () => {} })
      return started
    },
    useChunkSize(bytes) {
      connection.outbox.send(setChunkSize(bytes))
      chunkSize = bytes
    },
  }
}

/** Numbers of AMF are floating-point; in messages a stream has four bytes (RTMP 1.0 §5.3.1.2.1). */
function isStreamId(value: AmfValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32
}
