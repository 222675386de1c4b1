import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDeferred, type Deferred } from '../../core/deferred.ts'
import { createSeal, deriveKeys } from './seal.ts'
import { FIRST_WINDOW_BYTES, FRAME_COST_BYTES, MAX_WINDOW_BYTES } from './tunnel-end.ts'
import { TunnelStream } from './tunnel-stream.ts'
import { createWindowBudget } from './window-budget.ts'

let nowMs: number
/** Set while nothing can be sent. */
let blocked: Deferred<void> | undefined
let isShut: boolean
let messages: number
let ours: TunnelStream
let theirs: TunnelStream
beforeEach(() => {
  nowMs = 0
  blocked = undefined
  isShut = false
  messages = 0
  ;[ours, theirs] = createPair()
})

function createPair(): [TunnelStream, TunnelStream] {
  const opener: TunnelStream = createEnd('opener', () => acceptor)
  const acceptor: TunnelStream = createEnd('acceptor', () => opener)
  return [opener, acceptor]
}

function createEnd(role: 'opener' | 'acceptor', other: () => TunnelStream): TunnelStream {
  const seal = createSeal(deriveKeys('secret', 'salt', role))
  const stream = new TunnelStream({ address: '203.0.113.7', isEncrypted: false }, seal, {
    publish(message) {
      messages += 1
      if (!isShut) setImmediate(() => other().receive(message))
      return !isShut
    },
    whenRoom: () => blocked?.promise,
    now: () => nowMs,
    budget: createWindowBudget(Infinity),
  })
  stream.on('error', () => {})
  return stream
}

/** All that is on its way has arrived, and what that caused. */
async function settle(): Promise<void> {
  for (let before = -1; before !== messages;) {
    before = messages
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
  }
}

async function readAll(stream: TunnelStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(stream, 'end')
  return Buffer.concat(chunks)
}

const errorOf = async (stream: TunnelStream) => (await once(stream, 'error'))[0] as Error

describe('the window', () => {
  test('a reader that reads nothing stops the writer, and nothing is lost', async () => {
    const chunk = randomBytes(50_000)
    let written = 0
    while (!ours.writableNeedDrain && written < 10_000_000) {
      ours.write(chunk)
      written += chunk.length
      await settle()
    }
    // What the reader's and the writer's streams hold themselves comes on top.
    expect(written).toBeLessThan(FIRST_WINDOW_BYTES + 300_000)
    ours.end()
    expect((await readAll(theirs)).length).toBe(written)
  })

  test('many small writes become few messages', async () => {
    const text = 'x'.repeat(10)
    for (let i = 0; i < 1_000; i++) ours.write(text)
    ours.end()
    expect((await readAll(theirs)).length).toBe(10_000)
    expect(messages).toBeLessThan(10)
  })

  test('single bytes, sent one by one, are bounded by what each of them costs', async () => {
    for (let i = 0; i < 5_000; i++) {
      ours.write('x')
      await new Promise((resolve) => setImmediate(resolve))
    }
    await settle()
    expect(messages).toBeLessThan((2 * FIRST_WINDOW_BYTES) / FRAME_COST_BYTES)
    ours.end()
    expect((await readAll(theirs)).length).toBe(5_000)
  })
})

describe('the way', () => {
  test('while it is blocked nothing is sent, and then all of it', async () => {
    blocked = createDeferred()
    ours.write('hello')
    ours.end()
    await settle()
    expect(messages).toBe(0)
    const waiting = blocked
    blocked = undefined
    waiting.resolve()
    expect((await readAll(theirs)).toString()).toBe('hello')
  })

  test('one that is shut breaks it', async () => {
    isShut = true
    const broken = errorOf(ours)
    ours.write('hello')
    expect((await broken).message).toMatch(/closed/)
  })
})

describe('silence', () => {
  const pass = async (ms: number, ...ends: TunnelStream[]) => {
    for (let second = 0; second < ms / 1_000; second++) {
      nowMs += 1_000
      for (const end of ends) end.check(nowMs)
      await settle()
    }
  }

  test('a quiet tunnel stays open, by few messages', async () => {
    await pass(60_000, ours, theirs)
    expect(ours.destroyed || theirs.destroyed).toBe(false)
    expect(messages).toBeLessThanOrEqual(2 * 20)
  })

  test('an end of which nothing is heard is gone within 10 s', async () => {
    const broken = errorOf(ours)
    await pass(9_000, ours)
    expect((await broken).message).toMatch(/nothing was heard/)
  })

  test('it counts for who has said all it had to say, too', async () => {
    ours.end()
    await settle()
    const broken = errorOf(ours)
    await pass(9_000, ours)
    expect(await broken).toMatchObject({ code: 'ECONNABORTED' })
  })

  test('a slow reader of what has come whole keeps it', async () => {
    theirs.write(randomBytes(30_000))
    theirs.end()
    ours.end()
    await settle()
    theirs.resume()
    await settle()
    await pass(60_000, ours)
    expect((await readAll(ours)).length).toBe(30_000)
  })
})

describe('closing', () => {
  test('destroySoon sends what was written before', async () => {
    theirs.write('all of it')
    theirs.destroySoon()
    expect((await readAll(ours)).toString()).toBe('all of it')
  })

  test('a write that nobody will read ends nevertheless', async () => {
    theirs.end('no')
    theirs.destroySoon()
    await settle()
    const ended = once(ours, 'finish')
    ours.write(randomBytes(3 * MAX_WINDOW_BYTES))
    ours.end()
    await ended
    expect((await readAll(ours)).toString()).toBe('no')
  })

  test('messages of somebody else change nothing', async () => {
    expect(ours.receive(randomBytes(100))).toBe(false)
    theirs.end('hello')
    expect((await readAll(ours)).toString()).toBe('hello')
  })
})
