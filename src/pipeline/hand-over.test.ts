import { type Packet } from 'node-av'
import { expect, test } from 'vitest'
import { aPicture, createHandFed, type FakePicture, turn } from '../../test/builders/picture.ts'
import { createHeldPackets } from './decode/held-packets.ts'
import { newest } from './hand-over.ts'
import { type PacketPart, type SourcePart } from './picture.ts'

const opened = { kind: 'opened' } as SourcePart

/** Each packet is of one picture, whose time it is named by; those below zero cannot be decoded. */
function setUp({ isResting = false, isShown = false, lateBy = 0, ready = async () => {} } = {}) {
  const parts = createHandFed<SourcePart>()
  const pictures = new Map<number, FakePicture>()
  const decoded: number[] = []
  const shown: number[] = []
  const outcomes: (boolean | 'held back')[] = []
  const counts = { arrived: 0, dropped: 0, spared: 0, packets: 0 }
  const state = { isResting, isShown, isPaused: false }

  function aPacket(timeMs: number): Packet {
    const packet = { pts: BigInt(timeMs), size: 10, clone: () => aPacket(timeMs), free: () => void counts.packets-- }
    counts.packets++
    return packet as unknown as Packet
  }

  const handed = newest(parts, {
    decoder: {
      open: () => {},
      *decode(part) {
        const timeMs = Number(part.packet.pts)
        decoded.push(timeMs)
        if (timeMs < 0) return
        const picture = aPicture({ timeMs: Math.max(0, timeMs - lateBy) })
        pictures.set(timeMs, picture)
        yield picture
      },
      flush: () => [],
      close: () => {},
    },
    held: createHeldPackets(() => 0),
    isShown: () => state.isShown,
    isWanted: ({ isKeyframe }) => !state.isPaused && (isKeyframe || !state.isResting),
    isResting: () => state.isResting,
    onPicture: ({ timeMs }) => void shown.push(timeMs),
    onArrived: () => void counts.arrived++,
    onDecoded: (hasPicture) => void outcomes.push(hasPicture),
    onHeldBack: () => void outcomes.push('held back'),
    onDropped: () => void counts.dropped++,
    onSpared: () => void counts.spared++,
    ready,
  })

  /** Of each the reader frees its own packet. */
  async function put(...times: readonly (number | string)[]): Promise<void> {
    for (const time of times) {
      const packet = aPacket(Number.parseInt(String(time)))
      const timeMs = Number.parseInt(String(time))
      const times = { takenAtMs: timeMs, arrivedMs: timeMs, timeMs, rtpTimestamp: null, breaks: 0 }
      const part: PacketPart = { kind: 'packet', packet, isKeyframe: String(time).endsWith('key'), times }
      parts.put(part)
      await turn()
      packet.free()
    }
  }

  return {
    parts,
    put,
    handed,
    iterator: handed[Symbol.asyncIterator](),
    decoded,
    shown,
    outcomes,
    counts,
    state,
    pictures,
  }
}

/** A wait that ends when it is told to. */
function aWait() {
  let end = () => {}
  return { wait: () => new Promise<void>((resolve) => (end = resolve)), end: () => end() }
}

test('it says of what is decoded whether a picture came of it, and of what waits that it does', async () => {
  const { put, handed, iterator, outcomes, state } = setUp()
  await put('1key', -1)
  expect(outcomes).toEqual([true, false])
  const { value: picture } = await iterator.next()
  state.isResting = true
  const { wait, end } = aWait()
  const exchanged = handed.exchange(picture, wait)
  await put(2, 3)
  expect(outcomes).toEqual([true, false, 'held back', 'held back'])
  end()
  await exchanged
  expect(outcomes).toEqual([true, false, 'held back', 'held back', true])
})

test('a late consumer gets the newest picture; the older ones are released', async () => {
  const { put, iterator, counts, pictures } = setUp()
  await put('1key', 2, 3)
  expect(await iterator.next()).toMatchObject({ value: { timeMs: 3 } })
  expect([1, 2, 3].map((timeMs) => pictures.get(timeMs)!.isReleased())).toEqual([true, true, false])
  expect(counts).toEqual({ arrived: 3, dropped: 2, spared: 0, packets: 0 })
})

test('an early consumer waits for the next one', async () => {
  const { put, iterator, counts } = setUp()
  const next = iterator.next()
  await put('8key')
  expect(await next).toMatchObject({ value: { timeMs: 8 } })
  expect(counts.dropped).toBe(0)
})

test('the end comes after the last picture', async () => {
  const { parts, put, iterator } = setUp()
  await put('5key')
  parts.end()
  await turn()
  expect(await iterator.next()).toMatchObject({ value: { timeMs: 5 } })
  expect(await iterator.next()).toMatchObject({ done: true })
})

test.each(['before', 'after'])('an error passes, whether it comes %s somebody asks', async (when) => {
  const { parts, iterator } = setUp()
  if (when === 'before') {
    parts.fail(new Error('lost'))
    await turn()
    await expect(iterator.next()).rejects.toThrow('lost')
  } else {
    const next = iterator.next()
    next.catch(() => {})
    await turn()
    parts.fail(new Error('lost'))
    await expect(next).rejects.toThrow('lost')
  }
})

test('what comes while a turn is waited for is decoded when it has come, and exchanged', async () => {
  const { put, handed, iterator, decoded, counts, pictures } = setUp()
  await put('1key')
  const { value: first } = (await iterator.next()) as { value: FakePicture }
  expect(await handed.exchange(first, async () => {})).toBe(first)
  const { wait, end } = aWait()
  const exchanged = handed.exchange(first, wait)
  await put(2, 3)
  expect([decoded, counts.arrived]).toEqual([[1], 3])
  end()
  expect(await exchanged).toMatchObject({ timeMs: 3 })
  expect([first.isReleased(), pictures.get(2)!.isReleased(), counts.dropped]).toEqual([true, true, 2])
  expect([decoded, counts.packets]).toEqual([[1, 2, 3], 0])
})

test('with a keyframe, what waits before it is never decoded', async () => {
  const { put, handed, iterator, decoded, counts } = setUp()
  await put('1key')
  const { value: first } = (await iterator.next()) as { value: FakePicture }
  const { wait, end } = aWait()
  const exchanged = handed.exchange(first, wait)
  await put(2, 3, '4key', 5)
  end()
  expect(await exchanged).toMatchObject({ timeMs: 5 })
  expect(decoded).toEqual([1, 4, 5])
  expect(counts).toEqual({ arrived: 5, dropped: 2, spared: 2, packets: 0 })
})

test('while somebody sees every picture, all are decoded as they come', async () => {
  const { put, handed, iterator, shown, state } = setUp({ isResting: true })
  await put('1key')
  const { value: first } = (await iterator.next()) as { value: FakePicture }
  const { wait, end } = aWait()
  void handed.exchange(first, wait)
  await put(2, 3)
  expect(shown).toEqual([1])
  state.isShown = true
  await put(4, 5)
  // Of those that were held back nobody is to see more than the newest.
  expect(shown).toEqual([1, 4, 5])
  end()
})

test('of a scene at rest keyframes are decoded, and all since the last one once it rests no more', async () => {
  const { put, iterator, decoded, state } = setUp()
  await put('1key')
  await iterator.next()
  state.isResting = true
  const next = iterator.next()
  await put(2, 3, '4key')
  expect(await next).toMatchObject({ value: { timeMs: 4 } })
  const afterRest = iterator.next()
  await put(5, 6)
  state.isResting = false
  await put(7)
  expect(await afterRest).toMatchObject({ value: { timeMs: 7 } })
  expect(decoded).toEqual([1, 4, 5, 6, 7])
})

test('a stream is decoded until its first picture, whoever wants it', async () => {
  const { parts, put, decoded, counts, state } = setUp()
  state.isResting = true
  await put(-3, -2, 1, 2)
  expect([decoded, counts.arrived]).toEqual([[-3, -2, 1], 2])
  parts.put(opened)
  await put(3, 4)
  expect(decoded).toEqual([-3, -2, 1, 3])
  expect(counts.packets).toBe(1)
  parts.end()
  await turn()
  expect(counts.packets).toBe(0)
})

test('after a pause the newest is handed over', async () => {
  const { wait, end } = aWait()
  const { put, iterator, state } = setUp({ ready: wait })
  await put('1key')
  const next = iterator.next()
  await turn()
  state.isPaused = true
  await put(2, 3)
  end()
  expect(await next).toMatchObject({ value: { timeMs: 3 } })
})

test('of a scene at rest the last picture is handed over again and again, at the time of what comes', async () => {
  const { put, iterator, decoded, pictures, counts } = setUp({ isResting: true })
  await put('1key')
  await iterator.next()
  const next = iterator.next()
  await put(300, 401, 500)
  const { value: again } = (await next) as { value: FakePicture }
  expect([again.timeMs, again.decoded === pictures.get(1)!.decoded, decoded]).toEqual([401, true, [1]])
  const third = iterator.next()
  await put(700, 800, 801)
  expect(await third).toMatchObject({ value: { timeMs: 801, ptsSeconds: 0.801 } })
  expect(counts.dropped).toBe(0)
})

test('where pictures come in another order than packets, none is held back for rest', async () => {
  const { put, iterator, decoded, state } = setUp({ lateBy: 40 })
  await put('1key', 41)
  await iterator.next()
  state.isResting = true
  await put(81, 121)
  expect(decoded).toEqual([1, 41, 81, 121])
})

test('a picture that nothing can be made of fails whoever asks', async () => {
  const parts = createHandFed<SourcePart>()
  const handed = newest(parts, {
    decoder: {
      open: () => {},
      decode() {
        throw new Error('too large')
      },
      flush: () => [],
      close: () => {},
    },
    held: createHeldPackets(),
    isShown: () => false,
    isWanted: () => true,
    isResting: () => false,
    onPicture: () => {},
    onArrived: () => {},
    onDecoded: () => {},
    onHeldBack: () => {},
    onDropped: () => {},
    onSpared: () => {},
    ready: async () => {},
  })
  parts.put(opened)
  const packet = { pts: 1n, size: 10, clone: () => packet, free: () => {} } as unknown as Packet
  parts.put({ kind: 'packet', packet, isKeyframe: true, times: null })
  await expect(handed[Symbol.asyncIterator]().next()).rejects.toThrow('too large')
})
