import { describe, expect, test } from 'vitest'
import { chooseCameraPath, toSlug } from './camera-path.ts'

describe('the path of a camera', () => {
  test.each([
    ['Gate 3 (Süd)', 'gate-3-sud'],
    ['north_door', 'north_door'],
    ['..', 'camera'],
    ['門', 'camera'],
    ['~preview', 'preview'],
    ['a/b/../c', 'a-b-c'],
    ['x'.repeat(200), 'x'.repeat(60)],
  ])('%s is %s', (alias, slug) => {
    expect(toSlug(alias)).toBe(slug)
  })

  test('is numbered where others have it', async () => {
    const taken = new Set(['guard/gate', 'guard/gate-2'])
    expect(await chooseCameraPath('guard', 'Gate', async (path) => taken.has(path))).toBe('guard/gate-3')
  })
})
