import { Duplex } from 'node:stream'
import { type TunnelClient, type TunnelSocket } from '../../core/tunnel.ts'
import { type Frame } from './frame.ts'
import { type Seal } from './seal.ts'
import { createTunnelEnd, type TunnelEnd } from './tunnel-end.ts'
import { type WindowBudget } from './window-budget.ts'

/** Who has sent nothing for so long says that it is still there. */
const HEARTBEAT_MS = 2_500
/** Who has not been heard of for so long is gone. */
const SILENCE_MS = 8_000
/** Beside its window. */
const READ_BUFFER_BYTES = 16 * 1024
const WRITE_BUFFER_BYTES = 64 * 1024
/** Of its close: the HTTP server at one end or the client at the other, what counts connections, and what is piped both ways. */
const MAX_LISTENERS = 30

/** How messages get to the other end. */
export interface TunnelWay {
  /** False when it could not be sent. */
  publish(message: Buffer): boolean
  /** Resolves when messages can be sent again; undefined when they can. */
  whenRoom(): Promise<void> | undefined
  now(): number
  /** Of all tunnels that go this way. */
  readonly budget: WindowBudget
}

/** One end of a tunnel, as a stream. What cannot be sent yet waits in its writer, what is not read yet in its window. */
export class TunnelStream extends Duplex implements TunnelSocket {
  readonly remoteAddress: string
  readonly encrypted: boolean
  readonly #seal: Seal
  readonly #way: TunnelWay
  readonly #end: TunnelEnd
  readonly #arrived: Buffer[] = []
  #isWanted = false
  #hasArrivedAll = false
  #toSend: { bytes: Buffer; readonly done: () => void } | undefined
  #onEndSent: (() => void) | undefined
  #isHeartbeatDue = false
  #isWaiting = false
  #lastSentMs: number
  #lastReceivedMs: number

  constructor(client: TunnelClient, seal: Seal, way: TunnelWay) {
    super({ allowHalfOpen: true, readableHighWaterMark: READ_BUFFER_BYTES, writableHighWaterMark: WRITE_BUFFER_BYTES })
    this.setMaxListeners(MAX_LISTENERS)
    this.remoteAddress = client.address
    this.encrypted = client.isEncrypted
    this.#seal = seal
    this.#way = way
    this.#end = createTunnelEnd(way.budget)
    this.#lastSentMs = this.#lastReceivedMs = way.now()
  }

  /** A message from the other end; false for one that it has not sent. */
  receive(message: Uint8Array): boolean {
    const frame = this.#seal.open(message)
    if (frame === undefined) return false
    this.#lastReceivedMs = this.#way.now()
    const event = this.#end.onFrame(frame)
    if (event.type === 'broken') this.destroy(brokenBecause(event.reason))
    if (event.type === 'reset') this.destroy(closedByPeer())
    if (event.type === 'data') this.#arrived.push(event.bytes)
    if (event.type === 'end') this.#hasArrivedAll = true
    if (event.type === 'peer-gone') this.#dropUnsent()
    this.#handOn()
    this.#send()
    return true
  }

  /** To be called every second or so. */
  check(nowMs: number): void {
    // All is sent and received; only our own reader is not yet through.
    if (this.#end.phase === 'ended') return
    if (nowMs - this.#lastReceivedMs > SILENCE_MS) this.destroy(brokenBecause('nothing was heard of the other end.'))
    else if (nowMs - this.#lastSentMs > HEARTBEAT_MS) this.sendHeartbeat()
  }

  sendHeartbeat(): void {
    this.#isHeartbeatDue = true
    this.#send()
  }

  destroySoon(): void {
    if (this.writableFinished) return void this.destroy()
    this.once('finish', () => this.destroy())
    this.end()
  }

  override _read(): void {
    this.#isWanted = true
    this.#handOn()
    this.#send()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#write(chunk, done)
  }

  override _writev(chunks: readonly { chunk: Buffer }[], done: () => void): void {
    this.#write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
  }

  override _final(done: () => void): void {
    this.#onEndSent = done
    if (this.#end.phase === 'ended') this.#dropUnsent()
    this.#send()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#end.phase !== 'ended') this.#publish({ type: 'reset' })
    this.#end.close()
    this.#arrived.length = 0
    this.#toSend = undefined
    done(error)
  }

  #write(bytes: Buffer, done: () => void): void {
    if (bytes.length === 0) return done()
    this.#toSend = { bytes, done }
    if (this.#end.phase === 'ended') this.#dropUnsent()
    this.#send()
  }

  #handOn(): void {
    if (this.destroyed) return
    while (this.#isWanted && this.#arrived.length > 0) {
      const bytes = this.#arrived.shift()!
      this.#end.taken(bytes.length)
      this.#isWanted = this.push(bytes)
    }
    if (!this.#hasArrivedAll || this.#arrived.length > 0) return
    this.#hasArrivedAll = false
    this.push(null)
  }

  /** The other end reads no more, and has said all: its answer is not to be lost because of what it did not want to know. */
  #dropUnsent(): void {
    const [write, onEndSent] = [this.#toSend?.done, this.#onEndSent]
    this.#toSend = undefined
    this.#onEndSent = undefined
    write?.()
    onEndSent?.()
  }

  /** All that is due, as far as there is credit for it and room on the way. */
  #send(): void {
    for (let frame = this.#dueFrame(); frame; frame = this.#dueFrame()) {
      const room = this.#way.whenRoom()
      if (room) return this.#sendAfter(room)
      if (!this.#publish(frame)) return void this.destroy(brokenBecause('the way to the other end is closed.'))
      this.#onSent(frame)
    }
  }

  #dueFrame(): Frame | undefined {
    if (this.destroyed) return undefined
    if (this.#end.dueCredit > 0) return { type: 'credit', bytes: this.#end.dueCredit }
    const bytes = this.#toSend?.bytes.subarray(0, this.#end.sendableBytes)
    if (bytes && bytes.length > 0) return { type: 'data', bytes }
    if (!this.#toSend && this.#onEndSent) return { type: 'end' }
    return this.#isHeartbeatDue ? { type: 'alive' } : undefined
  }

  #onSent(frame: Frame): void {
    if (frame.type === 'credit') this.#end.sentCredit(frame.bytes)
    if (frame.type === 'data') this.#onDataSent(frame.bytes.length)
    if (frame.type === 'end') {
      this.#end.sentEnd()
      const onEndSent = this.#onEndSent
      this.#onEndSent = undefined
      onEndSent?.()
    }
  }

  #onDataSent(length: number): void {
    const { bytes, done } = this.#toSend!
    this.#end.sentData(length)
    this.#toSend = length < bytes.length ? { bytes: bytes.subarray(length), done } : undefined
    // What is written in the same turn goes into one frame.
    if (!this.#toSend) process.nextTick(done)
  }

  #publish(frame: Frame): boolean {
    this.#isHeartbeatDue = false
    this.#lastSentMs = this.#way.now()
    return this.#way.publish(this.#seal.seal(frame))
  }

  #sendAfter(room: Promise<void>): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    void room.then(() => {
      this.#isWaiting = false
      this.#send()
    })
  }
}

/** As a socket says it whose other end was closed: that is everyday life. */
function closedByPeer(): NodeJS.ErrnoException {
  return Object.assign(new Error('The other node has closed the connection.'), { code: 'ECONNRESET' })
}

function brokenBecause(reason: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`The connection between two nodes is broken: ${reason}`), { code: 'ECONNABORTED' })
}
