import { expect, test } from 'vitest'
import { parsePath } from './hub.ts'

test.each([
  ['/admin/cam1', 'admin/cam1'],
  ['admin/site/cam-1.main/', 'admin/site/cam-1.main'],
])('%s names %s', (raw, path) => expect(parsePath(raw)).toBe(path))

test.each([
  '',
  '/',
  'admin',
  'admin/../etc',
  'admin/.hidden',
  'admin//cam',
  'admin/a b',
  'admin/%2e%2e',
  'a\\b/c',
  `a/${'x'.repeat(300)}`,
])('%j is no path', (raw) => expect(() => parsePath(raw)).toThrow('A stream path is'))
