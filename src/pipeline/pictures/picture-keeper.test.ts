import { expect, test } from 'vitest'
import { type Box, type Size } from '../../core/detection.ts'
import { type SceneTrack } from '../../core/scene.ts'
import { type TrackPicture } from '../../core/track-picture.ts'
import { createPictureKeeper, type SeenFrame } from './picture-keeper.ts'

function aTrack(change: Partial<SceneTrack> = {}): SceneTrack {
  return {
    id: 1,
    classId: 1,
    className: 'person',
    box: { x: 100, y: 100, width: 40, height: 80 },
    confidence: 0.5,
    ...change,
  }
}

/** A keeper whose frames are the test's: they count what is cut out of them and given back. */
function setUp({ maxBytes, encode }: { maxBytes?: number; encode?: (size: Size) => Promise<Uint8Array> } = {}) {
  const sent: TrackPicture[][] = []
  const keeper = createPictureKeeper((pictures) => sent.push([...pictures]), maxBytes)
  const counts = { cut: 0, held: 0, measured: 0 }
  const jpegOf = encode ?? (async ({ width, height }: Size) => Uint8Array.of(width, height))
  function frame(change: Partial<SeenFrame> & { sharpness?: number } = {}): SeenFrame {
    return {
      width: 1920,
      height: 1080,
      takenAtMs: 5000 + (change.timeMs ?? 0),
      timeMs: 0,
      isDamaged: false,
      sharpnessOf() {
        counts.measured += 1
        return change.sharpness ?? 0.5
      },
      cut(_region: Box, size: Size) {
        counts.cut += 1
        counts.held += 1
        return { toJpeg: () => jpegOf(size), release: () => void (counts.held -= 1) }
      },
      ...change,
    }
  }
  return {
    keeper,
    sent,
    counts,
    see: (tracks: readonly SceneTrack[], change?: Parameters<typeof frame>[0], known = tracks.map(({ id }) => id)) =>
      keeper.see(frame(change), tracks, known),
  }
}

test('the best patch so far is sent, with where it comes from', async () => {
  const { keeper, see, sent } = setUp()
  see([aTrack()])
  see([aTrack({ confidence: 0.9 })], { timeMs: 100 })
  see([aTrack({ confidence: 0.6 })], { timeMs: 200 })
  await keeper.send()
  const size = Math.sqrt(40 * 80)
  expect(sent).toEqual([
    [
      {
        trackId: 1,
        role: 'patch',
        slot: 0,
        takenAtMs: 5100,
        confidence: 0.9,
        quality: 0.9 * size * 0.5,
        jpeg: Uint8Array.of(48, 96),
      },
    ],
  ])
})

test('what was sent is sent again only when it is clearly better', async () => {
  const { keeper, see, sent, counts } = setUp()
  see([aTrack()])
  await keeper.send()
  see([aTrack({ confidence: 0.55 })])
  await keeper.send()
  expect(sent).toHaveLength(1)
  see([aTrack({ confidence: 0.6 })])
  await keeper.send()
  expect(sent[1]).toMatchObject([{ confidence: 0.6 }])
  expect(counts).toMatchObject({ cut: 2, held: 0 })
})

test('sharpness is measured only where it could decide something', () => {
  const { see, counts } = setUp()
  see([aTrack()], { sharpness: 0.9 })
  see([aTrack({ confidence: 0.51 })])
  expect(counts.measured).toBe(1)
})

test('what only sharpness could make better is looked at twice a second, what came nearer at once', () => {
  const { see, counts } = setUp()
  for (let timeMs = 0; timeMs < 2000; timeMs += 40) see([aTrack()], { timeMs })
  expect(counts.measured).toBe(4)
  see([aTrack({ confidence: 0.6 })], { timeMs: 2010 })
  expect(counts).toMatchObject({ measured: 5, cut: 2 })
})

test('in a crowd everyone’s turn comes', () => {
  const { see, counts } = setUp()
  const tracks = Array.from({ length: 40 }, (_, index) => aTrack({ id: index + 1 }))
  for (const timeMs of [0, 500, 1000]) see(tracks, { timeMs, sharpness: 0.9 })
  expect(counts.cut).toBe(40)
})

test('a picture in which it stands behind somebody gives way to a free view', async () => {
  const { keeper, see, sent } = setUp()
  const nearer = { id: 2, box: { x: 105, y: 120, width: 40, height: 80 } }
  see([aTrack(), aTrack(nearer)])
  see([aTrack({ confidence: 0.45 }), aTrack({ ...nearer, box: { ...nearer.box, x: 300 } })], { timeMs: 100 })
  await keeper.send()
  expect(sent.flat().find(({ trackId }) => trackId === 1)).toMatchObject({ confidence: 0.45 })
})

test('a blurred picture does not take the place of a sharp one, nor a damaged one of a whole one', async () => {
  const { keeper, see, sent } = setUp()
  see([aTrack()], { sharpness: 0.8 })
  see([aTrack({ confidence: 0.7 })], { sharpness: 0.3 })
  see([aTrack({ confidence: 0.99 })], { sharpness: 0.8, isDamaged: true })
  await keeper.send()
  expect(sent).toMatchObject([[{ confidence: 0.5 }]])
})

test('of vehicles up to five larger crops are kept, a second apart at least, the best first', async () => {
  const { keeper, see, sent } = setUp()
  for (let timeMs = 0; timeMs < 9000; timeMs += 500)
    see([aTrack({ className: 'truck', confidence: timeMs === 2000 ? 0.9 : 0.5 })], { timeMs })
  await keeper.send()
  const crops = sent[0]!.filter(({ role }) => role === 'crop')
  expect(crops.map(({ slot, takenAtMs }) => [slot, takenAtMs])).toEqual([
    [2, 7000],
    [0, 5000],
    [1, 6000],
    [3, 8000],
    [4, 9000],
  ])
})

test('pictures of tracks that have ended are still sent, and then nothing is known of them', async () => {
  const { keeper, see, sent } = setUp()
  see([aTrack({ confidence: 0.9 })])
  see([], { timeMs: 100 }, [])
  await keeper.send()
  see([aTrack({ confidence: 0.3 })], { timeMs: 200 })
  await keeper.send()
  expect(sent.map(([picture]) => picture!.confidence)).toEqual([0.9, 0.3])
})

test('a track that is hidden for a while keeps its best', async () => {
  const { keeper, see, sent } = setUp()
  see([aTrack({ confidence: 0.9 })])
  see([], { timeMs: 100 }, [1])
  see([aTrack({ confidence: 0.3 })], { timeMs: 200 })
  await keeper.send()
  expect(sent).toMatchObject([[{ confidence: 0.9 }]])
})

test('what is held is bounded: the rest gets its turn when something was sent', async () => {
  const bytes = 1.5 * 48 * 96
  const { keeper, see, sent, counts } = setUp({ maxBytes: 3 * bytes })
  const tracks = [1, 2, 3, 4, 5].map((id) => aTrack({ id }))
  see(tracks)
  expect(counts.held).toBe(3)
  await keeper.send()
  see(tracks, { timeMs: 500 })
  expect(counts.held).toBe(2)
  await keeper.send()
  expect(sent.flat().map(({ trackId }) => trackId)).toEqual([1, 2, 3, 4, 5])
  expect(counts.held).toBe(0)
})

test('crops leave a quarter of the room for patches', () => {
  const { see, counts } = setUp({ maxBytes: 4 * 1.5 * 48 * 96 })
  see([aTrack({ className: 'car' }), aTrack({ id: 2, className: 'car' }), aTrack({ id: 3 })])
  // The third crop would have been the fourth piece: that is a patch's.
  expect(counts.held).toBe(4)
})

test('many pictures go in several messages', async () => {
  const { keeper, see, sent } = setUp()
  const tracks = Array.from({ length: 40 }, (_, index) => aTrack({ id: index + 1 }))
  // One frame costs only so much: the others have their turn in the next.
  for (const timeMs of [0, 40, 80]) see(tracks, { timeMs })
  await keeper.send()
  expect(sent.map(({ length }) => length)).toEqual([16, 16, 8])
})

test('one that cannot be encoded does not hold up the others', async () => {
  const { keeper, see, sent, counts } = setUp({
    encode: async ({ width }) => {
      if (width > 60) throw new Error('no')
      return Uint8Array.of(width)
    },
  })
  see([aTrack(), aTrack({ id: 2, box: { x: 0, y: 0, width: 100, height: 100 } }), aTrack({ id: 3 })])
  await keeper.send()
  expect(sent.flat().map(({ trackId }) => trackId)).toEqual([1, 3])
  expect(counts.held).toBe(0)
})

test('closing gives everything back', async () => {
  const { keeper, see, counts } = setUp()
  see([aTrack()])
  await keeper.close()
  see([aTrack({ id: 2 })])
  expect(counts).toMatchObject({ cut: 1, held: 0 })
})

test('a box without any picture in it is left out', async () => {
  const { keeper, see, sent } = setUp()
  see([
    aTrack({ box: { x: 1990, y: 0, width: 30, height: 30 } }),
    aTrack({ id: 2, box: { x: 5, y: 5, width: 0, height: 0 } }),
  ])
  await keeper.send()
  expect(sent).toEqual([])
})

test('what was sent is sent again when it is gone', async () => {
  const { keeper, see, sent } = setUp()
  see([aTrack()])
  await keeper.send()
  keeper.forget()
  see([aTrack()], { timeMs: 40 })
  await keeper.send()
  expect(sent).toHaveLength(2)
})
