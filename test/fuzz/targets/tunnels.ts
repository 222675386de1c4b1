import { decodeFrame, encodeFrame, type Frame } from '../../../src/cluster/tunnel/frame.ts'
import { sealMessage } from '../../../src/cluster/sealed-message.ts'
import { encodeAccept, readAnswer, readConnect } from '../../../src/cluster/tunnel/handshake.ts'
import { createSeal, deriveKeys } from '../../../src/cluster/tunnel/seal.ts'
import { createWindowBudget } from '../../../src/cluster/tunnel/window-budget.ts'
import { TunnelStream } from '../../../src/cluster/tunnel/tunnel-stream.ts'
import { mutate } from '../mutate.ts'
import { type Json, mutateJson } from '../mutate-json.ts'
import { type Random, randomOf } from '../random.ts'
import { isSentence } from '../sentence.ts'
import { type FuzzTarget } from '../target.ts'

const [ours, theirs] = ['o'.repeat(22), 't'.repeat(22)]
const connect: Json = { v: 1, from: 'a', tunnel: ours, address: '203.0.113.7', encrypted: true }
const accept = JSON.parse(encodeAccept('secret', ours, theirs).toString()) as Json

/** What begins so is a list of frames, each with its length in two bytes. */
const FRAMES = 0
/** What begins so is what a member seals to connect. */
const CONNECT = 1

/** Two nodes of one service, or somebody in the place of one: how tunnels begin, and what is said in them. */
export const tunnels: FuzzTarget = {
  name: 'tunnels',
  about: 'connections between nodes: how they begin, and their frames',
  counts: { short: 2_000, long: 100_000 },
  open: () => ({
    create: (random) => random.pick([mutatedConnect, mutatedAccept, mutatedFrames])(random),
    async feed(input) {
      if (input[0] === FRAMES) return feedFrames(input.subarray(1))
      if (input[0] === CONNECT) return feedConnect(input.subarray(1))
      feedStrange(input)
    },
  }),
}

/** Sealed as by a member of another version: understood, or refused. */
function feedConnect(input: Buffer): void {
  let sealed: Buffer
  try {
    sealed = sealMessage('secret', 'tunnel to b', JSON.parse(input.toString()))
  } catch {
    // No member could say it.
    return
  }
  const read = readConnect('secret', 'b', sealed)
  if (read === 'stranger') throw new TypeError('A connect of a member was taken for that of a stranger.')
}

/** Believed is only what means the same as the one message that was signed. */
function feedStrange(input: Buffer): void {
  if (readConnect('secret', 'b', input) !== 'stranger')
    throw new TypeError('A connect that nobody has sealed was believed.')
  try {
    if (readAnswer('secret', ours, input) !== theirs)
      throw new TypeError('An answer that nobody has signed was believed.')
  } catch (error) {
    if (!isSentence(error)) throw error
  }
}

/** Sealed as by a member, so that they get to where they mean something. */
async function feedFrames(input: Buffer): Promise<void> {
  const random = randomOf(input)
  const peer = createSeal(deriveKeys('secret', 'salt', 'acceptor'))
  const stream = new TunnelStream(
    { address: '', isEncrypted: false },
    createSeal(deriveKeys('secret', 'salt', 'opener')),
    { publish: () => true, whenRoom: () => undefined, now: () => 0, budget: createWindowBudget(Infinity) },
  )
  const errors: Error[] = []
  stream.on('error', (error) => errors.push(error))
  for (let at = 0; at + 2 <= input.length;) {
    const length = input.readUInt16BE(at)
    const encoded = input.subarray(at + 2, at + 2 + length)
    at += 2 + length
    const frame = decodeFrame(encoded)
    // Lost on the way.
    if (random.oneIn(20)) peer.seal({ type: 'alive' })
    if (!frame) continue
    if (!encodeFrame(frame).equals(encoded)) throw new TypeError('A frame was read as another one.')
    stream.receive(peer.seal(frame))
    if (random.oneIn(3)) stream.read()
    if (random.oneIn(10)) stream.write(random.bytes(1_000))
  }
  stream.destroy()
  await new Promise((resolve) => setImmediate(resolve))
  const faults: readonly Error[] = errors.filter((error) => !isSentence(error))
  if (faults.length > 0) throw faults[0]!
}

const mutatedConnect = (random: Random) => Buffer.concat([Buffer.of(CONNECT), mutateJson(connect, random)])
const mutatedAccept = (random: Random) => mutateJson(accept, random)

function mutatedFrames(random: Random): Buffer {
  const frames: Buffer[] = []
  for (let left = random.below(40); left > 0; left--) {
    const frame = random.pick<Frame>([
      { type: 'data', bytes: random.bytes(1 + random.below(random.pick([2, 2_000]))) },
      { type: 'credit', bytes: random.below(2 ** 32) },
      { type: 'end' },
      { type: 'reset' },
      { type: 'alive' },
    ])
    const encoded = encodeFrame(frame)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(encoded.length)
    frames.push(length, encoded)
  }
  const all = Buffer.concat(frames)
  return Buffer.concat([Buffer.of(FRAMES), random.oneIn(3) ? all : mutate(all, random)])
}
