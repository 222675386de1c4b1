import { expect, test } from 'vitest'
import { appliesTo, countWith, scopeOf } from './alert-scope.ts'

const process = { processId: 'p', accountId: 'account', sourceId: 'yard' }

test.each([
  { name: 'every process', alert: { processId: null, sourceIds: null }, scope: 'all', applies: true },
  { name: 'its source', alert: { processId: null, sourceIds: ['gate', 'yard'] }, scope: 'sources', applies: true },
  { name: 'another source', alert: { processId: null, sourceIds: ['gate'] }, scope: 'sources', applies: false },
  { name: 'sources that are gone', alert: { processId: null, sourceIds: [] }, scope: 'sources', applies: false },
  { name: 'its process', alert: { processId: 'p', sourceIds: null }, scope: 'process', applies: true },
  { name: 'another process', alert: { processId: 'q', sourceIds: null }, scope: 'process', applies: false },
])('an alert on $name', ({ alert, scope, applies }) => {
  expect(scopeOf(alert)).toBe(scope)
  expect(appliesTo(alert, process)).toBe(applies)
})

const [everywhere, yard, gate] = [{ sourceIds: null }, { sourceIds: ['yard'] }, { sourceIds: ['gate'] }]
test.each([
  { name: 'those of another source take no room', alert: gate, others: [yard, yard], count: 1 },
  { name: 'those on everything take room at each', alert: gate, others: [yard, gate, everywhere], count: 3 },
  { name: 'one on everything is where most are', alert: everywhere, others: [yard, yard, gate], count: 3 },
  { name: 'one of several sources likewise', alert: { sourceIds: ['gate', 'yard'] }, others: [yard, yard], count: 3 },
])('$name', ({ alert, others, count }) => expect(countWith(alert, others)).toBe(count))
