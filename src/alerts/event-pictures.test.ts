import { expect, test } from 'vitest'
import { pictureCharsIn, withoutPictures } from './event-pictures.ts'

const found = {
  event: 'found',
  data: { tracks: [{ track_id: 1, image: 'abcd', scene_image: 'efg' }, { track_id: 2 }], more: 3 },
}

test('pictures are counted in characters, and nothing else is', () => {
  expect(pictureCharsIn(found)).toBe(7)
  expect(pictureCharsIn({ event: 'update', data: { location: 'here' } })).toBe(0)
})

test('without them the rest is as it was', () => {
  expect(withoutPictures(found).data).toEqual({
    tracks: [
      { track_id: 1, image: null, scene_image: null },
      { track_id: 2, image: null, scene_image: null },
    ],
    more: 3,
  })
  const update = { event: 'update', data: {} }
  expect(withoutPictures(update)).toBe(update)
})
