import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/support/app.ts'
import { MAX_DEPTH } from './preferences.schema.ts'
import { MAX_PREFERENCES, MAX_VALUE_BYTES } from './preferences.service.ts'

let app: TestApp
/** Of a child that keeps nothing yet. */
let key: string
let children = 0
beforeAll(async () => void (app = await createTestApp()))
beforeEach(async () => void (key = await makeChild()))
afterAll(() => app.remove())

async function makeChild(): Promise<string> {
  const { body } = await app.call('POST', '/keys', { body: { username: `child${++children}`, minutes: 1 } })
  return body.key
}
const read = (as = key) => app.call('GET', '/preferences', { key: as })
const patch = (body: unknown, as = key) => app.call('PATCH', '/preferences', { body, key: as })
/** So many lists in each other. */
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

test('any JSON comes back as it was set, to its key alone', async () => {
  expect(await read()).toMatchObject({ status: 200, body: {} })
  const layouts = [{ name: 'Nacht ☾', cells: [['a'], null], rotate: 2.5, boxes: true }]
  expect(await patch({ 'live-layouts': layouts, zoom: 0 })).toMatchObject({
    status: 200,
    body: { 'live-layouts': layouts, zoom: 0 },
  })
  expect((await patch({ zoom: null, empty: '' })).body).toEqual({ 'live-layouts': layouts, empty: '' })
  expect((await read()).body).toEqual({ 'live-layouts': layouts, empty: '' })
  // Neither another child nor the master that made it.
  expect((await read(await makeChild())).body).toEqual({})
  expect((await app.call('GET', '/preferences')).body).toEqual({})
})

test.each<[string, unknown, string]>([
  ['a name with capitals', { Theme: 1 }, 'lowercase'],
  ['an empty name', { '': 1 }, 'lowercase'],
  ['a name that is too long', { ['a'.repeat(65)]: 1 }, 'lowercase'],
  ['what is nested too deeply', { a: nested(MAX_DEPTH + 1) }, `${MAX_DEPTH} deep`],
  ['a list', [1], 'Give an object, not a list'],
])('%s is refused', async (_name, body, sentence) => {
  const { status, text } = await patch(body)
  expect(status).toBe(422)
  expect(text).toContain(sentence)
  expect((await read()).body).toEqual({})
})

test('what is nested as deeply as may be is kept', async () => {
  expect((await patch({ a: nested(MAX_DEPTH) })).status).toBe(200)
})

test('one that is too large is refused by name, and nothing beside it is kept', async () => {
  // In bytes, of its JSON: two for the quotes.
  const largest = 'ü'.repeat((MAX_VALUE_BYTES - 2) / 2)
  expect((await patch({ largest })).status).toBe(200)
  const { status, body } = await patch({ small: 1, large: `${largest}.` })
  expect(status).toBe(413)
  expect(body).toMatchObject({ code: 'preference-too-large' })
  expect(body.detail).toContain('The preference large')
  expect(Object.keys((await read()).body)).toEqual(['largest'])
})

test('a key keeps as many as it may, all of them as large as they may be', async () => {
  const value = 'x'.repeat(MAX_VALUE_BYTES - 2)
  const all = Object.fromEntries(Array.from({ length: MAX_PREFERENCES }, (_, at) => [`p${at}`, value]))
  expect((await patch(all)).status).toBe(200)
  expect(await patch({ 'one-more': 1 })).toMatchObject({ status: 403, body: { code: 'preference-limit-reached' } })
  expect(Object.keys((await read()).body)).toHaveLength(MAX_PREFERENCES)
})
