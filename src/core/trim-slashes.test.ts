import { expect, test } from 'vitest'
import { trimEndSlashes, trimSlashes } from './trim-slashes.ts'

test.each([
  ['/ada/cam/', 'ada/cam', '/ada/cam'],
  ['//ada//cam//', 'ada//cam', '//ada//cam'],
  ['ada', 'ada', 'ada'],
  ['////', '', ''],
  ['', '', ''],
])('%j', (text, atBothEnds, atTheEnd) => {
  expect([trimSlashes(text), trimEndSlashes(text)]).toEqual([atBothEnds, atTheEnd])
})
