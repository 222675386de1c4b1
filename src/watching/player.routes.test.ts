import { readdirSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { renderPlayerPage } from './player.routes.ts'

describe('the page of the player', () => {
  test.each([
    ['/webrtc/ada/cam', '../../watch'],
    ['/webrtc/ada/cam/', '../../../watch'],
    ['/webrtc/ada/hall/cam', '../../../watch'],
  ])('links of the page at %s lead to the root', (address, expected) => {
    expect(renderPlayerPage('{{root}}watch', 'ada/cam', address)).toBe(expected)
  })

  test('the player is small: under 20 kB without hls.js', () => {
    const folder = new URL('../../player/', import.meta.url)
    const served = readdirSync(folder).filter((name) => /\.(html|css|js)$/.test(name))
    const bytes = served.reduce((sum, name) => sum + statSync(new URL(name, folder)).size, 0)
    expect(bytes).toBeLessThan(20_000)
  })
})
