import { expect, test } from 'vitest'
import { readRows, toFailedRow, toRow, toSection } from './result-table.ts'
import { type FuzzTarget } from './target.ts'

const aTarget = (name: string): FuzzTarget => ({
  name,
  about: `what ${name} is`,
  counts: { short: 1, long: 1 },
  open: () => ({ create: () => Buffer.alloc(0), feed: () => {} }),
})
const [rtp, sdp] = [aTarget('rtp'), aTarget('sdp')]
const memory = (megabytes: number) => ({ heldBytes: 0, residentBytes: megabytes * 2 ** 20 })
const result = { inputs: 3000, seconds: 1.5, before: memory(90), after: memory(92) }

test('a row says what was fed, how fast, and what it left in memory', () => {
  expect(toRow(rtp, result, 7)).toBe('| rtp | what rtp is | 3000 | 2000 | 0 | 90 MB → 92 MB | 7 |')
})

test('rows of other targets stay, in the order of the targets', () => {
  const earlier = toSection(new Map([['sdp', toRow(sdp, result, 7)]]), [rtp, sdp], 'a machine')
  const rows = readRows(earlier).set('rtp', toFailedRow(rtp, 8))
  const section = toSection(rows, [rtp, sdp], 'a machine')
  expect(section).toContain('3000 inputs')
  expect(section.split('\n').slice(-2)).toEqual([toFailedRow(rtp, 8), toRow(sdp, result, 7)])
})

test('rows of targets that are no more are left out', () => {
  const section = toSection(new Map([['old', toRow(aTarget('old'), result, 7)]]), [rtp], 'a machine')
  expect(section).not.toContain('old')
})
