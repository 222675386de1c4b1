import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const MAX_BYTES = 300_000

test('the console is small: everything but the map, packed', () => {
  const files = readdirSync('console/dist/assets').filter(
    (name) => /\.(js|css)$/.test(name) && !name.startsWith('map-page'),
  )
  expect(files.length).toBeGreaterThanOrEqual(3)
  const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(`console/dist/assets/${name}`)).length, 0)
  expect(bytes).toBeLessThan(MAX_BYTES)
})
