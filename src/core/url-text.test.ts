import { describe, expect, test } from 'vitest'
import { percentDecoded, trimEndSlashes, trimSlashes } from './url-text.ts'

describe('percent decoded', () => {
  test.each([
    ['p%40ss%2f', 'p@ss/'],
    ['caf%C3%A9', 'café'],
    ['a+b', 'a+b'],
    ['100%', '100%'],
    ['%zz%40', '%zz%40'],
    ['%ff', '%ff'],
  ])('%j is %j', (text, decoded) => expect(percentDecoded(text)).toBe(decoded))
})

describe('trim slashes', () => {
  test.each([
    ['/ada/cam/', 'ada/cam', '/ada/cam'],
    ['//ada//cam//', 'ada//cam', '//ada//cam'],
    ['ada', 'ada', 'ada'],
    ['////', '', ''],
    ['', '', ''],
  ])('%j', (text, atBothEnds, atTheEnd) => {
    expect([trimSlashes(text), trimEndSlashes(text)]).toEqual([atBothEnds, atTheEnd])
  })
})
