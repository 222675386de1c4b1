import { expect, test } from 'vitest'
import { nextPageLink, toPage } from './page.ts'

const rows = ['c', 'b', 'a'].map((id) => ({ id }))

test('one row more than asked for means that there is a next page', () => {
  expect(toPage(rows, { limit: 2 })).toEqual({ items: [{ id: 'c' }, { id: 'b' }], nextCursor: 'b' })
  expect(toPage(rows, { limit: 3 }).nextCursor).toBeUndefined()
})

test('the link to the next page keeps the other parameters, but never the key', () => {
  expect(nextPageLink('/keys?limit=2&cursor=z&api_key=ak_1', 'b')).toBe('</keys?limit=2&cursor=b>; rel="next"')
})
