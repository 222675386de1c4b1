import { type Deferred } from '../../../core/deferred.ts'
import { type AmfValue } from '../wire/amf0.ts'
import { writeAmf0 } from '../wire/amf0-writer.ts'
import { CHUNK_STREAM, INITIAL_CHUNK_SIZE, writeMessage } from '../wire/chunk-writer.ts'
import { type Command } from '../wire/command.ts'
import { type RtmpClientConnection } from './connection.ts'
import { setChunkSize } from '../wire/control-messages.ts'
import { MESSAGE } from '../wire/message.ts'
import { readInformation, RtmpClientError, sayRefusal } from './server-sentence.ts'

/** Commands to a server, and its answers to them. */
export interface Calls {
  /** The values behind the command object of the answer. Rejects with a sentence when the server says no. */
  call(name: string, ...values: readonly AmfValue[]): Promise<readonly AmfValue[]>
  /** Without waiting for an answer: to some commands many servers give none, or an error that means nothing. */
  tell(streamId: number, name: string, ...values: readonly AmfValue[]): void
  /** `publish`, which is answered by a status of the stream (RTMP 1.0 §7.2.2.6). */
  publish(streamId: number, name: string): Promise<void>
  /** Tells the server, and does so from then on. */
  useChunkSize(bytes: number): void
}

export interface CallsOptions {
  readonly connection: RtmpClientConnection
  readonly label: string
  readonly secrets: readonly string[]
}

interface Pending {
  resolve(values: readonly AmfValue[]): void
  reject(error: Error): void
}

export function createCalls({ connection, label, secrets }: CallsOptions): Calls {
  const pending = new Map<number, Pending>()
  let published: Deferred<void> | undefined
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
    if (information['level'] === 'error') call?.reject(new RtmpClientError(sayRefusal(label, information, secrets)))
    else call?.resolve(values)
  }

  function refuse({ transactionId, values }: Command): void {
    pending.get(transactionId)?.reject(new RtmpClientError(sayRefusal(label, readInformation(values), secrets)))
    pending.delete(transactionId)
  }

  function status({ values }: Command): void {
    const information = readInformation(values)
    const code = information['code']
    const isOver = code === 'NetStream.Unpublish.Success' || code === 'NetConnection.Connect.Closed'
    if (code === 'NetStream.Publish.Start') published?.resolve()
    else if (information['level'] === 'error' || isOver) connection.end(sayRefusal(label, information, secrets))
  }

  function send(streamId: number, name: string, values: readonly AmfValue[]): number {
    const payload = writeAmf0(name, ++lastTransaction, ...values)
    const message = { typeId: MESSAGE.commandAmf0, streamId, payload }
    connection.outbox.send(writeMessage(CHUNK_STREAM.command, message, chunkSize))
    return lastTransaction
  }

  return {
    call(name, ...values) {
      const deferred = connection.awaits<readonly AmfValue[]>(name)
      pending.set(send(0, name, values), deferred)
      return deferred.promise
    },
    tell: (streamId, name, ...values) => void send(streamId, name, values),
    publish(streamId, name) {
      const started = connection.awaits<void>('publish')
      published = started
      // Its result says nothing yet, but an error does.
      const pendingPublish = { resolve: () => {}, reject: (error: Error) => started.reject(error) }
      pending.set(send(streamId, 'publish', [null, name, 'live']), pendingPublish)
      return started.promise
    },
    useChunkSize(bytes) {
      connection.outbox.send(setChunkSize(bytes))
      chunkSize = bytes
    },
  }
}
