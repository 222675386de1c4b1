import { expect, test } from 'vitest'
import { coresWords, ofWords, roomWords } from './usage-words.ts'

test('what is not measured yet is no zero', () => {
  expect([coresWords(null), coresWords(0), coresWords(1.234)]).toEqual(['–', '0.00', '1.23'])
  expect([ofWords(null, 15), ofWords(7.12, 15)]).toEqual(['–', '7.1 of 15.0 fps'])
})

test('room is told by model', () => {
  const room = [
    { model: 'fast', streams: 3 },
    { model: 'accurate', streams: 0 },
  ]
  expect(roomWords(room)).toBe('3 with fast, 0 with accurate')
})
