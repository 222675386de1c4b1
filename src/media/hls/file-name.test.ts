import { expect, test } from 'vitest'
import { parseFileName } from './file-name.ts'

test.each([
  ['index.m3u8', { kind: 'master' }],
  ['stream.m3u8', { kind: 'media' }],
  ['init-12.mp4', { kind: 'header', run: 12 }],
  ['7.m4s', { kind: 'segment', sequence: 7 }],
  ['7.0.m4s', { kind: 'part', sequence: 7, part: 0 }],
])('%s', (name, file) => expect(parseFileName(name)).toEqual(file))

test.each([
  '',
  '..',
  '../index.m3u8',
  'index.m3u8/..',
  '7.m4s.',
  '-1.m4s',
  '7.0.0.m4s',
  '1e3.m4s',
  `${'9'.repeat(13)}.m4s`,
  'init-.mp4',
  '7.m4s\n',
])('there is no %j', (name) => expect(parseFileName(name)).toBeUndefined())
