import { expect, test, vi } from 'vitest'

vi.stubGlobal('location', { hash: '' })
vi.stubGlobal('addEventListener', () => {})
const { parseRoute } = await import('./route.ts')

test.each([
  ['', 'live', undefined],
  ['#/', 'live', undefined],
  ['#/live/7', 'live', '7'],
  ['#/map', 'map', undefined],
  ['#/sources/', 'sources', undefined],
  ['#/nowhere', 'live', undefined],
  ['#/sign-in?code=abc', 'sign-in', undefined],
])('%s is the page %s', (hash, page, id) => {
  expect(parseRoute(hash)).toMatchObject({ page, id })
})

test('a link’s code is in the query', () => {
  expect(parseRoute('#/sign-in?code=abc').query.get('code')).toBe('abc')
})
