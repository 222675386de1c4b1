import { readFileSync, statSync } from 'node:fs'
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

  test.each([
    ['the page of a live stream', 'player.js', 20_000],
    ['what it takes for the past, its documentation included', 'play-past.js', 30_000],
  ])('%s is small without hls.js', (_what, script, limit) => {
    const names = [...loadedBy(script), 'player.html', 'player.css']
    const bytes = names.reduce((sum, name) => sum + statSync(new URL(name, folder)).size, 0)
    expect(bytes).toBeLessThan(limit)
  })
})

const folder = new URL('../../player/', import.meta.url)

/** A module, and all that it imports before it runs. */
function loadedBy(name: string, known: readonly string[] = []): readonly string[] {
  if (known.includes(name)) return known
  const imported = readFileSync(new URL(name, folder), 'utf8').matchAll(/^import .* from '\.\/(.+)'$/gm)
  return [...imported].reduce<readonly string[]>((names, [, next]) => loadedBy(next!, names), [...known, name])
}
