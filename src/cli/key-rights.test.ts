import { expect, test } from 'vitest'
import { parse } from './command.ts'
import { rightsOptions, toRights } from './key-rights.ts'

const read = (...args: string[]) => toRights(parse(args, rightsOptions).values)

test('rights are read in the form of the API', () => {
  const args = [
    '--process-recording',
    'true',
    '--track-logger=false',
    '--max-sources',
    '5',
    '--expiration-date',
    'never',
  ]
  expect(read(...args)).toEqual({ process_recording: true, track_logger: false, max_sources: 5, expiration_date: null })
})

test.each([
  [['--process-recording', 'yes'], '--process-recording must be one of true, false'],
  [['--process-recording', '1'], '--process-recording must be one of true, false'],
  [['--process-recording'], '--process-recording needs a value: true or false'],
  [['--max-sources', 'true'], '--max-sources must be a number'],
])('%j: %s', (args, sentence) => expect(() => read(...args)).toThrow(sentence))
