import { type Socket } from 'node:net'
import { Duplex } from 'node:stream'

/**
 * A connection whose incoming bytes are looked at and handed on in pieces, one in each turn of the event loop. The socket is not
 * read while pieces wait, so that no more than one chunk of it does. Whatever `cut` throws ends it.
 */
export function paceStream(socket: Socket, cut: (chunk: Buffer) => readonly Buffer[]): Duplex {
  let pieces: Buffer[] = []
  let isWanted = false
  let isOver = false
  let turn: NodeJS.Immediate | undefined

  const stream = new Duplex({
    read() {
      isWanted = true
      turn ??= setImmediate(handOn)
    },
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, done),
    writev: (chunks, done) => void socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      clearImmediate(turn)
      pieces = []
      socket.destroy()
      done(error)
    },
  })

  function handOn(): void {
    turn = undefined
    const piece = isWanted ? pieces.shift() : undefined
    if (piece) {
      isWanted = false
      stream.push(piece)
    } else if (isWanted && isOver) stream.push(null)
    else if (isWanted) socket.resume()
  }

  socket.on('connect', () => stream.emit('connect'))
  socket.on('data', (chunk: Buffer) => {
    socket.pause()
    try {
      pieces.push(...cut(chunk))
    } catch (error) {
      return stream.destroy(error as Error)
    }
    turn ??= setImmediate(handOn)
  })
  socket.on('error', (error) => stream.destroy(error))
  socket.on('close', () => {
    isOver = true
    turn ??= setImmediate(handOn)
  })
  // What came before the end is still read.
  stream.on('end', () => stream.destroy())
  return stream
}
