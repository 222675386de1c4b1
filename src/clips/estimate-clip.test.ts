import { expect, test } from 'vitest'
import { aRecordedFile } from '../../test/builders/recorded-file.ts'
import { estimateBytes, nodeWithMost, sharesOf } from './estimate-clip.ts'

const NOW = 100_000
/** From 10 s to 20 s, of 1,000 bytes. */
const whole = aRecordedFile({ startedAt: 10_000, durationMs: 10_000, sizeBytes: 1_000 })
/** Begun at 90 s: 500 bytes so far. */
const open = aRecordedFile({ startedAt: 90_000, durationMs: null, sizeBytes: 500 })

test.each([
  ['all of a file', whole, 0, 30_000, [1_000]],
  ['its beginning', whole, 0, 12_000, [200]],
  ['its end', whole, 18_000, 30_000, [200]],
  ['something in it, rounded up', whole, 15_000, 15_001, [1]],
  ['nothing: it ends where the clip begins', whole, 20_000, 30_000, []],
  ['nothing: it begins where the clip ends', whole, 0, 10_000, []],
  ['half of what is written so far', open, 95_000, 100_000, [250]],
  ['what is written so far, where more is to come', open, 99_000, 105_000, [500]],
  ['what will be, of a file that has just begun', { ...open, startedAt: NOW, sizeBytes: 0 }, 99_000, 105_000, [0]],
  ['nothing of one that began behind it', open, 80_000, 90_000, []],
] as const)('%s', (_what, file, from, to, bytes) => {
  expect(sharesOf([file], { from, to }, NOW).map((share) => share.bytes)).toEqual(bytes)
})

test('files keep their order', () => {
  const files = [whole, aRecordedFile({ id: 'next', startedAt: 20_000 })]
  expect(sharesOf(files, { from: 15_000, to: 25_000 }, NOW).map(({ file }) => file)).toEqual(files)
})

const shareOn = (nodeId: string | null, bytes: number) => ({ file: aRecordedFile({ nodeId }), bytes })

test('with boxes it takes a fifth more', () => {
  const shares = [shareOn(null, 1_001), shareOn(null, 2_000)]
  expect([estimateBytes(shares, false), estimateBytes(shares, true)]).toEqual([3_001, 3_602])
  expect(estimateBytes([], true)).toBe(0)
})

test.each([
  ['none, in a service of one node', [shareOn(null, 10)], null],
  ['none, where nothing was recorded', [], null],
  ['the one with most bytes, not with most files', [shareOn('a', 3), shareOn('b', 9), shareOn('a', 5)], 'b'],
  ['the one with most bytes in all of its files', [shareOn('a', 5), shareOn('b', 9), shareOn('a', 5)], 'a'],
])('the node that cuts it: %s', (_what, shares, node) => expect(nodeWithMost(shares)).toBe(node))
