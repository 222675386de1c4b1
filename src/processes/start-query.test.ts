import { expect, test } from 'vitest'
import { type ModelSummary } from './models.ts'
import { StartQuery, toProcessOptions } from './start-query.ts'

const source_uuid = '00000000-0000-7000-8000-000000000001'
const master = { masterId: null }

test.each([
  [undefined, undefined],
  ['0', 0],
  ['62.5', 62.5],
  ['100', 100],
])('a confidence of %s is %s', (confidence, expected) => {
  expect(StartQuery.parse({ source_uuid, confidence }).confidence).toBe(expected)
})

test.each(['', ' ', 'high', '-1', '100.1'])('a confidence of "%s" is none', (confidence) => {
  expect(StartQuery.safeParse({ source_uuid, confidence }).success).toBe(false)
})

test.each([
  { model: 'airborne', tiles: undefined, expected: 'auto' },
  { model: 'airborne', tiles: '1x1', expected: '1x1' },
  { model: 'fast', tiles: undefined, expected: '1x1' },
  { model: undefined, tiles: undefined, expected: '1x1' },
])('$model with tiles $tiles looks at $expected', ({ model, tiles, expected }) => {
  const models = [
    { name: 'fast', classes: [], suggestedTiles: '1x1' },
    { name: 'airborne', classes: [], suggestedTiles: 'auto' },
  ] as unknown as ModelSummary[]
  const query = StartQuery.parse({ source_uuid, model, tiles })
  expect(toProcessOptions(query, master, models, 'fast').tiles).toBe(expected)
})

test.each([
  { query: {}, begins: 'now' },
  { query: { when: 'live' }, begins: 'when-live' },
  { query: { when: 'live', again: 'true' }, begins: 'each-time-live' },
  { query: { when: 'live', again: 'false' }, begins: 'when-live' },
])('$query begins $begins', ({ query, begins }) => {
  const models = [{ name: 'fast', classes: [], suggestedTiles: '1x1' }] as unknown as ModelSummary[]
  expect(toProcessOptions(StartQuery.parse({ source_uuid, ...query }), master, models, 'fast').begins).toBe(begins)
})

test('only a process that waits for its video can begin again', () => {
  const query = StartQuery.parse({ source_uuid, again: 'true' })
  expect(() => toProcessOptions(query, master, [], 'fast')).toThrow(expect.objectContaining({ code: 'input-invalid' }))
})

test.each([
  { who: 'a master', account: master, priority: 'high' },
  { who: 'a child', account: { masterId: 'm' }, priority: 'low' },
  { who: 'a child', account: { masterId: 'm' }, priority: undefined },
])('$who may choose the priority $priority', ({ account, priority }) => {
  const models = [{ name: 'fast', classes: [], suggestedTiles: '1x1' }] as unknown as ModelSummary[]
  const query = StartQuery.parse({ source_uuid, priority })
  expect(toProcessOptions(query, account, models, 'fast').priority).toBe(priority ?? 'normal')
})

test.each([
  { labels: undefined, expected: [] },
  { labels: 'gpu, site=north,', expected: ['gpu', 'site=north'] },
])('$labels asks of its node $expected', ({ labels, expected }) => {
  const models = [{ name: 'fast', classes: [], suggestedTiles: '1x1' }] as unknown as ModelSummary[]
  const query = StartQuery.parse({ source_uuid, labels })
  expect(toProcessOptions(query, master, models, 'fast').labels).toEqual(expected)
})

test('a child may not go before others', () => {
  const query = StartQuery.parse({ source_uuid, priority: 'high' })
  expect(() => toProcessOptions(query, { masterId: 'm' }, [], 'fast')).toThrow(
    expect.objectContaining({ code: 'input-invalid' }),
  )
})
