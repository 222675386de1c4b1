import { expect, test } from 'vitest'
import { parseFuzzArguments } from './arguments.ts'
import { type FuzzTarget } from './target.ts'

const targets = ['rtp', 'sdp'].map((name): FuzzTarget => ({
  name,
  about: name,
  counts: { short: 1, long: 1 },
  open: () => ({ create: () => Buffer.alloc(0), feed: () => {} }),
}))
const parse = (...args: readonly string[]) => parseFuzzArguments(args, targets)

test('without arguments, everything is fed in the long form', () => {
  expect(parse()).toMatchObject({ targets, limit: undefined })
})

test.each([
  { args: ['sdp'], names: ['sdp'], limit: undefined },
  { args: ['sdp', '--seconds', '60'], names: ['sdp'], limit: { seconds: 60 } },
  { args: ['--count', '5', 'rtp'], names: ['rtp'], limit: { count: 5 } },
])('$args feed $names', ({ args, names, limit }) => {
  const parsed = parse(...args)
  expect(parsed.targets.map(({ name }) => name)).toEqual(names)
  expect(parsed.limit).toEqual(limit)
})

test('a seed is taken as it is given', () => {
  expect(parse('--seed', '7').seed).toBe(7)
})

test.each([
  [['rtcp'], 'There is no target rtcp; there are: rtp, sdp.'],
  [['--count', '0'], '0 is no count'],
  [['--seed', 'x'], 'x is no count'],
  [['--count', '1', '--seconds', '1'], 'not both'],
])('%j are refused', (args, sentence) => {
  expect(() => parse(...args)).toThrow(sentence)
})
