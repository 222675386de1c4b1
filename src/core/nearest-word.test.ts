import { expect, test } from 'vitest'
import { nearestWord } from './nearest-word.ts'

const known = ['alias', 'input_url', 'stream_type', 'telemetry_cfg', 'source_uuid', 'confidence']

test.each([
  ['inputUrl', 'input_url'],
  ['Alias', 'alias'],
  ['confidense', 'confidence'],
  ['confidnece', 'confidence'],
  ['source_id', 'source_uuid'],
  ['alisa', 'alias'],
  ['stream-type', 'stream_type'],
  ['colour', undefined],
  ['_', undefined],
  ['', undefined],
  ['a'.repeat(60_000), undefined],
])('%s means %s', (word, meant) => expect(nearestWord(word, known)).toBe(meant))

test('letters that are swapped count once', () => expect(nearestWord('ulr', ['url'])).toBe('url'))

test('of two that are near the nearer one is meant', () => expect(nearestWord('lat', ['lon', 'lat'])).toBe('lat'))
