import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'
import { createServerHandshake } from '../../src/media/rtmp/server/handshake.ts'
import { createChunkParser } from '../../src/media/rtmp/wire/chunk-parser.ts'
import { OUTGOING_CHUNK_SIZE } from '../../src/media/rtmp/wire/chunk-writer.ts'
import { type Command, parseCommand, writeCommand } from '../../src/media/rtmp/wire/command.ts'
import { setChunkSize } from '../../src/media/rtmp/wire/control-messages.ts'
import { MESSAGE, type RtmpMessage } from '../../src/media/rtmp/wire/message.ts'
import { pushAll } from './chunk-messages.ts'

/** One client, as its server sees it. */
export interface ReceiverPeer {
  readonly commands: readonly Command[]
  readonly messages: readonly RtmpMessage[]
  send(...buffers: readonly Buffer[]): void
  status(level: 'status' | 'error', code: string, description: string): void
}

/** What it does on a command instead of the usual; false leaves it to the usual. */
export type ReceiverHabit = (command: Command, peer: ReceiverPeer) => boolean

/** A server that does what the test says, right or wrong. `cut` says in which pieces its bytes go out. */
export function receive(
  socket: Duplex,
  habit: ReceiverHabit = () => false,
  cut: (data: Buffer) => Buffer[] = (data) => [data],
): ReceiverPeer {
  const handshake = createServerHandshake()
  const parser = createChunkParser()
  const commands: Command[] = []
  const messages: RtmpMessage[] = []
  let isGreeted = false
  const peer: ReceiverPeer = {
    commands,
    messages,
    send: (...buffers) => buffers.flatMap(cut).forEach((piece) => socket.write(piece)),
    status: (level, code, description) => peer.send(writeCommand(1, 'onStatus', 0, null, { level, code, description })),
  }
  socket.on('error', () => undefined)
  socket.on('data', (data: Buffer) => {
    const { reply, rest } = isGreeted ? { rest: data } : handshake.push(data)
    if (reply) peer.send(reply)
    if (!rest) return
    isGreeted = true
    for (const message of pushAll(parser, rest)) take(message)
  })
  return peer

  function take(message: RtmpMessage): void {
    messages.push(message)
    const command = message.typeId === MESSAGE.commandAmf0 ? parseCommand(message) : undefined
    if (!command) return
    commands.push(command)
    if (habit(command, peer)) return
    const { name, transactionId } = command
    if (name === 'connect') peer.send(setChunkSize(OUTGOING_CHUNK_SIZE), connected(transactionId))
    if (name === 'createStream') peer.send(writeCommand(0, '_result', transactionId, null, 1))
    if (name === 'publish') peer.status('status', 'NetStream.Publish.Start', 'Go on.')
    if (name === 'play') peer.status('status', 'NetStream.Play.Start', 'It begins.')
  }
}

function connected(transactionId: number): Buffer {
  const information = { level: 'status', code: 'NetConnection.Connect.Success', description: 'Connected.' }
  return writeCommand(0, '_result', transactionId, { fmsVer: 'FMS/3,0,1,123' }, information)
}

/** A server on a free port until the test ends; `onConnection` does with each socket what it likes. */
export async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
