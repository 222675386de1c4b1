import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Frame } from './frame.ts'
import { createSeal, deriveKeys } from './seal.ts'
import {
  createTunnelEnd,
  FIRST_WINDOW_BYTES,
  FRAME_COST_BYTES,
  MAX_WINDOW_BYTES,
  type TunnelEnd,
} from './tunnel-end.ts'
import { createWindowBudget } from './window-budget.ts'

let end: TunnelEnd
beforeEach(() => void (end = createTunnelEnd(createWindowBudget(0))))

const data = (bytes: number): Frame => ({ type: 'data', bytes: Buffer.alloc(bytes) })
const END: Frame = { type: 'end' }
const RESET: Frame = { type: 'reset' }

describe('phases', () => {
  test.each([
    { name: 'our end first', acts: ['send-end', END], phase: 'ended' },
    { name: 'theirs first', acts: [END, 'send-end'], phase: 'ended' },
    { name: 'only theirs', acts: [data(1), END], phase: 'got-end' },
    { name: 'only ours', acts: ['send-end', data(1)], phase: 'sent-end' },
    { name: 'closed by the other end', acts: [RESET], phase: 'broken' },
    { name: 'closed by the other end after ours', acts: ['send-end', RESET], phase: 'broken' },
    { name: 'closed after all was said', acts: [data(1), END, RESET], phase: 'ended' },
    { name: 'data after the end', acts: [END, data(1)], phase: 'broken' },
    { name: 'two ends', acts: [END, END], phase: 'broken' },
    { name: 'a gap', acts: ['gap'], phase: 'broken' },
    { name: 'what comes after all is over', acts: ['send-end', END, data(1), 'gap', RESET], phase: 'ended' },
    { name: 'more credit than any window has', acts: [{ type: 'credit', bytes: MAX_WINDOW_BYTES }], phase: 'broken' },
    { name: 'a heartbeat', acts: [{ type: 'alive' }], phase: 'open' },
  ] as { name: string; acts: (Frame | 'gap' | 'send-end')[]; phase: string }[])('$name', ({ acts, phase }) => {
    for (const act of acts) {
      if (act === 'send-end') end.sentEnd()
      else end.onFrame(act)
    }
    expect(end.phase).toBe(phase)
  })

  test('nothing may be sent after the end', () => {
    end.sentEnd()
    expect(end.sendableBytes).toBe(0)
  })
})

describe('the window', () => {
  /** The reader keeps up: it takes what has come, and the other end gets its credit. */
  function keepUp(reader: TunnelEnd, frames: number): void {
    for (let frame = 0; frame < frames; frame++) {
      reader.onFrame(data(8_000))
      reader.taken(8_000)
      if (reader.dueCredit > 0) reader.sentCredit(reader.dueCredit)
    }
  }
  /** How much comes before it breaks, of a reader that takes nothing. */
  function roomOf(reader: TunnelEnd): number {
    let room = 0
    while (reader.onFrame(data(1_000)).type === 'data') room += 1_000 + FRAME_COST_BYTES
    return room
  }

  test('is what may be sent before any of it is taken', () => {
    let sent = 0
    while (end.sendableBytes > 0) {
      const bytes = end.sendableBytes
      end.sentData(bytes)
      sent += bytes + FRAME_COST_BYTES
    }
    expect(sent).toBeLessThanOrEqual(FIRST_WINDOW_BYTES)
    expect(sent).toBeGreaterThan(FIRST_WINDOW_BYTES - 2 * FRAME_COST_BYTES)
    end.onFrame({ type: 'credit', bytes: 10_000 })
    expect(end.sendableBytes).toBeGreaterThan(9_000)
  })

  test('breaks where the other end takes no notice of it', () => {
    for (let i = 0; i < 4; i++) end.onFrame(data(8_000 - FRAME_COST_BYTES))
    expect(end.phase).toBe('open')
    expect(end.onFrame(data(1_000))).toMatchObject({ type: 'broken', reason: expect.stringMatching(/room/) })
  })

  test('counts frames too: a byte alone takes a place', () => {
    let frames = 0
    while (end.onFrame(data(1)).type === 'data') frames++
    expect(frames).toBeLessThanOrEqual(FIRST_WINDOW_BYTES / FRAME_COST_BYTES)
  })

  test('is given back in pieces, and not to who has ended', () => {
    for (let i = 0; i < 3; i++) end.onFrame(data(6_000))
    end.taken(6_000)
    expect(end.dueCredit).toBe(0)
    end.taken(6_000)
    end.taken(6_000)
    expect(end.dueCredit).toBe(3 * (6_000 + FRAME_COST_BYTES))
    end.sentCredit(end.dueCredit)
    expect(end.dueCredit).toBe(0)
    for (let i = 0; i < 3; i++) end.onFrame(data(6_000))
    end.onFrame(END)
    for (let i = 0; i < 3; i++) end.taken(6_000)
    expect(end.dueCredit).toBe(0)
  })

  test('grows where the reader keeps up, and no further than one window may', () => {
    const fast = createTunnelEnd(createWindowBudget(Infinity))
    keepUp(fast, 500)
    const room = roomOf(fast)
    expect(room).toBeLessThanOrEqual(MAX_WINDOW_BYTES)
    expect(room).toBeGreaterThan(0.7 * MAX_WINDOW_BYTES)
  })

  test('of all together has no more than the budget: who comes late gets what others have given back', () => {
    const budget = createWindowBudget(2 * MAX_WINDOW_BYTES)
    const tunnels = Array.from({ length: 20 }, () => createTunnelEnd(budget))
    for (const tunnel of tunnels) keepUp(tunnel, 500)
    const late = createTunnelEnd(budget)
    keepUp(late, 20)
    for (const tunnel of tunnels) keepUp(tunnel, 100)
    keepUp(late, 100)
    tunnels.push(late)
    const rooms = tunnels.map(roomOf)
    expect(rooms.reduce((sum, room) => sum + room, 0)).toBeLessThanOrEqual(
      21 * FIRST_WINDOW_BYTES + 2 * MAX_WINDOW_BYTES,
    )
    expect(Math.min(...rooms)).toBeGreaterThan(0.7 * FIRST_WINDOW_BYTES)
    for (const tunnel of tunnels) tunnel.close()
    expect([budget.isShort, budget.take(Infinity)]).toEqual([false, 2 * MAX_WINDOW_BYTES])
  })
})

/** Two ends and what is on its way between them, in order, as sealed messages. */
function connectEnds(budget = createWindowBudget(200_000)) {
  const sides = (['opener', 'acceptor'] as const).map((role) => ({
    end: createTunnelEnd(budget),
    seal: createSeal(deriveKeys('secret', 'salt', role)),
    toSend: [] as Buffer[],
    waiting: [] as Buffer[],
    incoming: [] as Buffer[],
    wantsEnd: false,
    written: [] as Buffer[],
    read: [] as Buffer[],
    hasEnd: false,
    reason: '',
  }))
  const other = (index: number) => sides[1 - index]!

  function send(index: number, frame: Frame): void {
    other(index).incoming.push(sides[index]!.seal.seal(frame))
  }

  function pump(index: number): void {
    const side = sides[index]!
    while (side.toSend.length > 0 && side.end.sendableBytes > 0) {
      const first = side.toSend[0]!
      const bytes = first.subarray(0, side.end.sendableBytes)
      if (bytes.length === first.length) side.toSend.shift()
      else side.toSend[0] = first.subarray(bytes.length)
      side.end.sentData(bytes.length)
      send(index, { type: 'data', bytes })
    }
    const credit = side.end.dueCredit
    if (credit > 0) {
      side.end.sentCredit(credit)
      send(index, { type: 'credit', bytes: credit })
    }
    if (side.wantsEnd && side.toSend.length === 0 && ['open', 'got-end'].includes(side.end.phase)) {
      side.end.sentEnd()
      send(index, END)
    }
  }

  const pair = {
    sides,
    write(index: number, bytes: Buffer) {
      const side = sides[index]!
      if (side.wantsEnd) return
      side.written.push(bytes)
      side.toSend.push(bytes)
      pump(index)
    },
    finish(index: number) {
      sides[index]!.wantsEnd = true
      pump(index)
    },
    deliver(index: number) {
      const side = sides[index]!
      const message = side.incoming.shift()
      const frame = message && side.seal.open(message)
      if (!frame) return
      const event = side.end.onFrame(frame)
      if (event.type === 'data') side.waiting.push(event.bytes)
      if (event.type === 'end') side.hasEnd = true
      if (event.type === 'broken') side.reason = event.reason
      pump(index)
    },
    take(index: number) {
      const side = sides[index]!
      const bytes = side.waiting.shift()
      if (!bytes) return
      side.read.push(bytes)
      side.end.taken(bytes.length)
      pump(index)
    },
    lose: (index: number) => sides[index]!.incoming.shift(),
    isIdle: () => sides.every(({ incoming, waiting }) => incoming.length === 0 && waiting.length === 0),
    exchange() {
      for (const index of [0, 1]) {
        pair.deliver(index)
        pair.take(index)
      }
    },
  }
  return pair
}

type Act = readonly [what: 'write' | 'deliver' | 'take' | 'finish', side: number, bytes: number]
const act: fc.Arbitrary<Act> = fc.tuple(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Act[0]>('write', 'deliver', 'take') },
    { weight: 1, arbitrary: fc.constant<Act[0]>('finish') },
  ),
  fc.integer({ min: 0, max: 1 }),
  fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 400_000 })),
)

let counter = 0
const numbered = (bytes: number) => Buffer.alloc(bytes, `${counter++} `)
const held = (buffers: readonly Buffer[]) => buffers.reduce((sum, { length }) => sum + length + FRAME_COST_BYTES, 0)

function run(pair: ReturnType<typeof connectEnds>, [what, side, bytes]: Act): void {
  if (what === 'write') pair.write(side, numbered(bytes))
  else pair[what](side)
}

describe('whatever comes in whatever order', () => {
  test('all that was written is read, once and in order, and never more than the window waits', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 150 }), (acts) => {
        const pair = connectEnds()
        for (const one of acts) {
          run(pair, one)
          for (const { waiting } of pair.sides) expect(held(waiting)).toBeLessThanOrEqual(MAX_WINDOW_BYTES)
        }
        for (const side of [0, 1]) pair.finish(side)
        while (!pair.isIdle()) pair.exchange()
        for (const index of [0, 1]) {
          const [sender, reader] = [pair.sides[index]!, pair.sides[1 - index]!]
          expect(Buffer.concat(reader.read).equals(Buffer.concat(sender.written))).toBe(true)
          expect(reader).toMatchObject({ hasEnd: true, reason: '' })
          expect(reader.end.phase).toBe('ended')
        }
      }),
      { numRuns: 200 },
    )
  })

  test('what is lost is never papered over: the reader has a beginning of what was written, and no end', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), fc.array(act, { maxLength: 60 }), (before, after) => {
        const pair = connectEnds()
        for (const one of before) run(pair, one)
        pair.write(0, numbered(10))
        pair.finish(0)
        // The reader, at whom something is lost on the way.
        const hadEnd = pair.sides[1]!.hasEnd
        const lost = pair.lose(1)
        for (const one of after) run(pair, one)
        pair.finish(1)
        for (let i = 0; i < 500; i++) pair.exchange()
        const [sender, reader] = [pair.sides[0]!, pair.sides[1]!]
        const [written, read] = [Buffer.concat(sender.written), Buffer.concat(reader.read)]
        expect(written.subarray(0, read.length).equals(read)).toBe(true)
        if (lost && !hadEnd) expect(reader.hasEnd).toBe(false)
      }),
      { numRuns: 200 },
    )
  })

  test('a text that is written in two pieces, cut at any place, is the same text', () => {
    const text = Buffer.from('GET /process/1/events HTTP/1.1\r\n\r\n')
    for (let at = 1; at < text.length; at++) {
      const pair = connectEnds()
      pair.write(0, text.subarray(0, at))
      pair.write(0, text.subarray(at))
      while (!pair.isIdle()) pair.exchange()
      expect(Buffer.concat(pair.sides[1]!.read)).toEqual(text)
    }
  })
})
