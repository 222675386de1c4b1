import { deflateRawSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  BLOCK_HEAD_BYTES,
  decodeBlock,
  encodeBlock,
  frameBlock,
  MAX_BLOCK_LOOKS,
  MAX_BLOCK_RAW_BYTES,
  MAX_BLOCK_SIGHTINGS,
  payloadOf,
  readBlockHeads,
} from './look-blocks.ts'
import { type RecordedLook, type RecordedTrack } from './recorded-look.ts'

const T0 = Date.UTC(2026, 10, 16, 3)
const PERSON = { classId: 1, className: 'person' }
const CAR = { classId: 3, className: 'car' }
const box = { x: 100, y: 200, width: 30.5, height: 60 }

function aTrack(change: Partial<RecordedTrack> = {}): RecordedTrack {
  return { id: 7, ...PERSON, box, confidence: 0.9, ...change }
}

function aLook(change: Partial<RecordedLook> = {}): RecordedLook {
  return { takenAtMs: T0, width: 1920, height: 1080, tracks: [aTrack()], ...change }
}

function aBlock(looks: readonly RecordedLook[]): Buffer {
  const payload = encodeBlock(looks)
  return frameBlock(deflateRawSync(payload), payload.length, looks)
}

/** The way of a reader: heads, payload, inflated, decoded. */
function readAll(file: Buffer): RecordedLook[] {
  return readBlockHeads(file).heads.flatMap((head) =>
    decodeBlock(inflateRawSync(payloadOf(file, head), { maxOutputLength: head.rawBytes })),
  )
}

const point = fc.record({
  latitudeDeg: fc.double({ min: -90, max: 90, noNaN: true }),
  longitudeDeg: fc.double({ min: -180, max: 180, noNaN: true }),
  altitudeM: fc.double({ min: -500, max: 12_000, noNaN: true }),
})
const coordinate = fc.double({ min: -200, max: 8_000, noNaN: true })
const side = fc.double({ min: 0, max: 8_000, noNaN: true })
const track = fc.record(
  {
    id: fc.oneof(fc.nat(20), fc.nat(2 ** 40)),
    classId: fc.nat(3),
    className: fc.constantFrom('person', 'car', 'Vogel — ñ', ''),
    box: fc.record({ x: coordinate, y: coordinate, width: side, height: side }),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    point,
  },
  { requiredKeys: ['id', 'classId', 'className', 'box', 'confidence'] },
)
const look = fc.record(
  {
    takenAtMs: fc.double({ min: T0 - 1e6, max: T0 + 1e6, noNaN: true }),
    width: fc.constantFrom(640, 1920),
    height: fc.constantFrom(360, 1080),
    tracks: fc.uniqueArray(track, { maxLength: 12, selector: ({ id }) => id || {} }),
    camera: fc.record({ point, headingDeg: fc.double({ min: 0, max: 359.99, noNaN: true }) }),
  },
  { requiredKeys: ['takenAtMs', 'width', 'height', 'tracks'] },
)
const looks = fc.array(look, { minLength: 1, maxLength: 10 })

test('what was written is read again: boxes to a quarter of a pixel, confidence to half a percent, places to 0.1 m', () => {
  fc.assert(
    fc.property(looks, (written) => {
      const read = readAll(aBlock(written))
      expect(read).toHaveLength(written.length)
      read.forEach((one, index) => expectSame(one, written[index]!))
    }),
  )
})

function expectSame(read: RecordedLook, written: RecordedLook): void {
  expect(read).toMatchObject({ width: written.width, height: written.height })
  expect(Math.abs(read.takenAtMs - written.takenAtMs)).toBeLessThanOrEqual(0.5)
  const sorted = [...written.tracks].sort((a, b) => a.id - b.id)
  expect(read.tracks.map(identityOf)).toEqual(sorted.map(identityOf))
  read.tracks.forEach((track, index) => {
    const { box, confidence, point } = sorted[index]!
    for (const key of ['x', 'y', 'width', 'height'] as const)
      expect(Math.abs(track.box[key] - box[key])).toBeLessThanOrEqual(0.25)
    expect(Math.abs(track.confidence - confidence)).toBeLessThanOrEqual(0.005 + 1e-9)
    expectNear(track.point, point)
  })
  expectNear(read.camera?.point, written.camera?.point)
  const turn = Math.abs((read.camera?.headingDeg ?? 0) - (written.camera?.headingDeg ?? 0))
  expect(Math.min(turn, 360 - turn)).toBeLessThanOrEqual(0.006)
}

const identityOf = ({ id, classId, className }: RecordedTrack) => ({ id, classId, className })

function expectNear(read: RecordedTrack['point'], written: RecordedTrack['point']): void {
  expect(read === undefined).toBe(written === undefined)
  if (!read || !written) return
  // Half of 10⁻⁶ ° is 0.056 m at most.
  expect(Math.abs(read.latitudeDeg - written.latitudeDeg)).toBeLessThanOrEqual(0.5000001e-6)
  expect(Math.abs(read.longitudeDeg - written.longitudeDeg)).toBeLessThanOrEqual(0.5000001e-6)
  expect(Math.abs(read.altitudeM - written.altitudeM)).toBeLessThanOrEqual(0.0500001)
}

test('differences add up to no error, however long something is in view', () => {
  const written = Array.from({ length: 2_000 }, (_, index) =>
    aLook({ takenAtMs: T0 + index * 200, tracks: [aTrack({ box: { ...box, x: index * 0.3 } })] }),
  )
  const read = readAll(aBlock(written))
  expect(Math.abs(read.at(-1)!.tracks[0]!.box.x - 1_999 * 0.3)).toBeLessThanOrEqual(0.25)
})

test('what stands still takes a byte a number', () => {
  const still = (count: number) =>
    encodeBlock(Array.from({ length: count }, (_, index) => aLook({ takenAtMs: T0 + index * 200 }))).length
  // Time, head, id, five differences; the time takes two bytes.
  expect(still(51) - still(50)).toBe(9)
})

test('a track may become of another class, and be seen again after others', () => {
  const written = [
    aLook({ tracks: [aTrack(), aTrack({ id: 9, ...CAR })] }),
    aLook({ takenAtMs: T0 + 200, tracks: [aTrack({ id: 9, ...CAR })] }),
    aLook({ takenAtMs: T0 + 400, tracks: [aTrack({ ...CAR })] }),
  ]
  expect(readAll(aBlock(written))).toEqual(written)
})

test('without tracking all have id 0, and each is itself', () => {
  const written = [
    aLook({ tracks: [aTrack({ id: 0 }), aTrack({ id: 0, ...CAR, box: { ...box, x: 900 } })] }),
    aLook({ takenAtMs: T0 + 200, tracks: [aTrack({ id: 0, ...CAR })] }),
  ]
  expect(readAll(aBlock(written))).toEqual(written)
})

test('each block stands alone', () => {
  const [first, second] = [[aLook()], [aLook({ takenAtMs: T0 + 10_000 })]]
  const file = Buffer.concat([aBlock(first), aBlock(second)])
  const { heads, wholeBytes } = readBlockHeads(file)
  expect(wholeBytes).toBe(file.length)
  expect(heads.map(({ at, looks, firstAtMs, lastAtMs }) => ({ at, looks, firstAtMs, lastAtMs }))).toEqual([
    { at: 0, looks: 1, firstAtMs: T0, lastAtMs: T0 },
    { at: heads[0]!.bytes + BLOCK_HEAD_BYTES, looks: 1, firstAtMs: T0 + 10_000, lastAtMs: T0 + 10_000 },
  ])
  const alone = inflateRawSync(payloadOf(file, heads[1]!))
  expect(decodeBlock(alone)).toEqual(second)
})

test('the head covers looks that are not in the order of time', () => {
  const written = [aLook({ takenAtMs: T0 + 500 }), aLook({ takenAtMs: T0 - 500 })]
  expect(readBlockHeads(aBlock(written)).heads[0]).toMatchObject({ firstAtMs: T0 - 500, lastAtMs: T0 + 500 })
})

test('wherever a file is torn, the whole blocks before are found', () => {
  const blocks = [0, 1, 2].map((index) => aBlock([aLook({ takenAtMs: T0 + index * 10_000 })]))
  const file = Buffer.concat(blocks)
  const ends = blocks.map((_, index) => Buffer.concat(blocks.slice(0, index + 1)).length)
  for (let length = 0; length <= file.length; length++) {
    const whole = ends.filter((end) => end <= length)
    const { heads, wholeBytes } = readBlockHeads(file.subarray(0, length))
    expect([heads.length, wholeBytes]).toEqual([whole.length, whole.at(-1) ?? 0])
  }
})

test('a block of which any byte was changed is refused', () => {
  const first = aBlock([aLook()])
  const second = aBlock([aLook({ takenAtMs: T0 + 10_000 })])
  const file = Buffer.concat([first, second])
  for (let at = first.length; at < file.length; at++) {
    const flipped = Buffer.from(file)
    flipped[at]! ^= 1
    expect(readBlockHeads(flipped).wholeBytes, `byte ${at}`).toBe(first.length)
  }
})

test('random payloads and changed ones are refused or read, and end', () => {
  const changed = fc.tuple(looks, fc.nat(), fc.nat(255)).map(([some, at, byte]) => {
    const payload = Buffer.from(encodeBlock(some))
    payload[at % payload.length] = byte
    return payload
  })
  const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
  fc.assert(
    fc.property(fc.oneof(changed, random), (payload) => {
      try {
        decodeBlock(payload)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
  )
})

test('a payload of more looks or sightings than a block has is refused', () => {
  const empty = aLook({ tracks: [] })
  expect(() => encodeBlock(Array.from({ length: MAX_BLOCK_LOOKS + 1 }, () => empty))).toThrow('too much')
  const crowd = aLook({ tracks: Array.from({ length: MAX_BLOCK_SIGHTINGS + 1 }, () => aTrack()) })
  expect(() => encodeBlock([crowd])).toThrow('too much')
  // Two bytes a look: the same time, and nothing in it.
  expect(() => decodeBlock(Buffer.alloc(2 * (MAX_BLOCK_LOOKS + 1)))).toThrow('too much')
})

test('a block that readers would refuse, with all that is behind it, is not made', () => {
  expect(() => frameBlock(Buffer.alloc(10), MAX_BLOCK_RAW_BYTES + 1, [aLook()])).toThrow(RangeError)
  expect(() => frameBlock(Buffer.alloc(MAX_BLOCK_RAW_BYTES + 1), 10, [aLook()])).toThrow(RangeError)
  expect(() => frameBlock(Buffer.alloc(10), 10, [])).toThrow(RangeError)
})

test.each([
  { what: 'a box', look: aLook({ tracks: [aTrack({ box: { ...box, x: NaN } })] }) },
  { what: 'a confidence', look: aLook({ tracks: [aTrack({ confidence: Infinity })] }) },
  { what: 'a time', look: aLook({ takenAtMs: NaN }) },
])('$what that is no number is not written', ({ look }) => {
  expect(() => encodeBlock([look])).toThrow(RangeError)
})
