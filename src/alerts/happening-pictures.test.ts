import { expect, test } from 'vitest'
import { pictureCharsOf, withoutPictures } from './happening-pictures.ts'

const found = { event: 'found', data: { tracks: [{ track_id: 1, image: 'abcd' }, { track_id: 2 }], more: 3 } }

test('pictures are counted in characters, and nothing else is', () => {
  expect(pictureCharsOf(found)).toBe(4)
  expect(pictureCharsOf({ event: 'update', data: { location: 'here' } })).toBe(0)
})

test('without them the rest is as it was', () => {
  expect(withoutPictures(found).data).toEqual({
    tracks: [
      { track_id: 1, image: null },
      { track_id: 2, image: null },
    ],
    more: 3,
  })
  const update = { event: 'update', data: {} }
  expect(withoutPictures(update)).toBe(update)
})
