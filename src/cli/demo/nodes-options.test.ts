import { expect, test } from 'vitest'
import { parse, UsageError } from '../command.ts'
import { demoArguments, toNodesOptions } from './nodes-options.ts'

const read = (...args: string[]) => toNodesOptions(parse(args, demoArguments).values)

test.each([
  { args: [], expected: undefined },
  { args: ['--nodes', '3'], expected: { count: 3, killAfterMs: undefined } },
  { args: ['--nodes', '4', '--kill'], expected: { count: 4, killAfterMs: 60_000 } },
  { args: ['--nodes', '3', '--kill', '--kill-after', '5'], expected: { count: 3, killAfterMs: 5_000 } },
  { args: ['--nodes', '3', '--kill-after', '0.5'], expected: { count: 3, killAfterMs: 500 } },
])('$args', ({ args, expected }) => expect(read(...args)).toEqual(expected))

test.each([
  { args: ['--kill'], sentence: /add --nodes 3/ },
  { args: ['--kill-after', '5'], sentence: /add --nodes 3/ },
  { args: ['--nodes', '2'], sentence: /--nodes must be from 3 to 8/ },
  { args: ['--nodes', '9'], sentence: /--nodes must be from 3 to 8/ },
  { args: ['--nodes', '3.5'], sentence: /whole number/ },
  { args: ['--nodes', 'three'], sentence: /--nodes must be a number/ },
  { args: ['--nodes', '3', '--kill-after=-1'], sentence: /--kill-after must be from 0 to 3600/ },
  { args: ['--node', '3'], sentence: /do you mean --nodes/ },
])('$args makes no sense', ({ args, sentence }) => {
  expect(() => read(...args)).toThrow(UsageError)
  expect(() => read(...args)).toThrow(sentence)
})
