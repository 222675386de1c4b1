import { expect, test } from 'vitest'
import { isFileIn } from './is-file-in.ts'

test.each([
  ['clips/a/1.mp4', true],
  ['clips/a..b/1..mp4', true],
  ['clips', false],
  ['clips/', false],
  ['clips/a/', false],
  ['recordings/a/1.mp4', false],
  ['clips2/1.mp4', false],
  ['clips/../aerie.db', false],
  ['clips/a/../../../etc/passwd', false],
  ['clips/./1.mp4', false],
  ['clips//1.mp4', false],
  ['/etc/clips/1.mp4', false],
  ['clips/1\0.mp4', false],
])('%j is in clips: %s', (file, expected) => expect(isFileIn('clips', file)).toBe(expected))
