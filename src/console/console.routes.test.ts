import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/builders/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({
    AERIE_MAP_TILES_URL: 'https://tiles.example.org/{z}/{x}/{y}.png',
    AERIE_MAP_TILES_ATTRIBUTION: '© Example',
  })
})
afterAll(() => app.remove())

const page = readFileSync('console/dist/index.html', 'utf8')

test('the page is never kept, and nothing foreign runs in it', async () => {
  const { status, text, headers } = await app.call('GET', '/', { key: '' })
  expect([status, text]).toEqual([200, page])
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['content-security-policy']).toMatch(
    /script-src 'self'; style-src 'self'; .* https:\/\/tiles\.example\.org;/,
  )
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style|style=|https?:/)
})

test('its files are kept for ever, for their names change with their content', async () => {
  for (const [, name] of page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)) {
    const { status, headers } = await app.call('GET', `/${name}`, { key: '' })
    expect([name, status]).toEqual([name, 200])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  }
})

test.each([
  '/assets/',
  '/assets/none.js',
  '/assets/../../package.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/assets/.aerie-built',
  '/assets/%00',
])('there is nothing at %s', async (path) => {
  const { status, body } = await app.call('GET', path, { key: '' })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(body.code).toBeTruthy()
})

test('who is signed in learns where the tiles are, and whose', async () => {
  expect((await app.call('GET', '/console/settings')).body).toMatchObject({
    map_tiles_url: 'https://tiles.example.org/{z}/{x}/{y}.png',
    map_tiles_attribution: '© Example',
  })
  expect((await app.call('GET', '/console/settings', { key: '' })).status).toBe(403)
})
