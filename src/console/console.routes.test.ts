import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/support/app.ts'
import { consolePolicy } from './console.routes.ts'

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
  ['/sw.js', /javascript/],
  ['/manifest.webmanifest', /manifest\+json/],
  ['/icon-192.png', /image\/png/],
  ['/icon-512.png', /image\/png/],
])('%s, of which browsers know the name, is asked for again each time', async (path, type) => {
  const { status, headers } = await app.call('GET', path, { key: '' })
  expect([status, headers['cache-control']]).toEqual([200, 'no-cache'])
  expect(headers['content-type']).toMatch(type)
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

describe('the policy of the console', () => {
  test('nothing inline, nothing from elsewhere', () => {
    const policy = consolePolicy(undefined)
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toMatch(/unsafe|http/)
  })

  test.each([
    ['https://tiles.example.org/{z}/{x}/{y}.png', 'https://tiles.example.org'],
    ['https://{s}.tiles.example.org:8080/a/{z}/{x}/{y}.png', 'https://*.tiles.example.org:8080'],
  ])('tiles of %s may be shown', (template, origin) => {
    expect(consolePolicy(template)).toContain(`img-src 'self' data: blob: ${origin};`)
  })
})
