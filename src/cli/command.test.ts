import { expect, test } from 'vitest'
import { parse } from './command.ts'

const options = {
  'max-processes': { type: 'string' },
  enhancement: { type: 'string', values: ['true', 'false'] },
  json: { type: 'boolean' },
} as const

test.each([
  [['--max-proceses', '2'], 'there is no option --max-proceses; do you mean --max-processes?'],
  [['--max-proceses=2'], 'there is no option --max-proceses; do you mean --max-processes?'],
  [['--wings'], 'there is no option --wings'],
  [['-w'], 'there is no option -w'],
  [['--max-processes'], '--max-processes needs a value'],
  [['--max-processes', '--json'], '--max-processes needs a value'],
  [['--enhancement'], '--enhancement needs a value: true or false'],
  [['--json=yes'], '--json takes no value'],
])('%j: %s', (args, sentence) => expect(() => parse(args, options)).toThrow(sentence))

test('no word of Node’s own comes through', () => {
  for (const args of [['--wings'], ['--max-processes', '-1'], ['--json=1']])
    expect(() => parse(args, options)).not.toThrow(/Unknown option|argument|positional/)
})

test('what is right is read', () => {
  const { values, positionals } = parse(['list', '--max-processes=2', '--json'], options)
  expect([{ ...values }, positionals]).toEqual([{ 'max-processes': '2', json: true }, ['list']])
})
