import { expect, test } from 'vitest'
import { chooseRun } from './hls-choice.ts'

const earlier = { firstSequence: 100, isOver: true }
const running = { firstSequence: 200, isOver: false }
const over = { firstSequence: 200, isOver: true }

test.each([
  ['nothing runs yet', 'index.m3u8', { isLive: true }, 'another'],
  ['nothing is live', 'index.m3u8', { isLive: false }, 'nobody'],
  ['somebody begins', 'index.m3u8', { isLive: true, newest: running }, 'newest'],
  ['somebody goes on', 'stream.m3u8', { isLive: true, newest: running }, 'newest'],
  ['it is gone, and the worker has not noticed', 'stream.m3u8', { isLive: false, newest: running }, 'newest'],
  ['somebody begins with what is gone', 'index.m3u8', { isLive: false, newest: running }, 'nobody'],
  ['somebody begins with what is over', 'index.m3u8', { isLive: false, newest: over }, 'nobody'],
  ['somebody goes on with what is over', 'stream.m3u8', { isLive: false, newest: over }, 'newest'],
  ['it is back', 'stream.m3u8', { isLive: true, newest: over }, 'another'],
  ['it is back, and there is a worker', 'stream.m3u8', { isLive: true, newest: running, earlier }, 'newest'],
  ['a piece of what is over', '205.m4s', { isLive: false, newest: over }, 'newest'],
  ['a piece of what is over, and it is back', '205.3.m4s', { isLive: true, newest: over }, 'newest'],
  ['a piece of the run before', '105.m4s', { isLive: true, newest: running, earlier }, 'earlier'],
  ['a part of the run before', '105.3.m4s', { isLive: true, newest: running, earlier }, 'earlier'],
  ['the header of the run before', 'init-100.mp4', { isLive: true, newest: running, earlier }, 'earlier'],
  ['a piece of this run', '200.m4s', { isLive: true, newest: running, earlier }, 'newest'],
  ['the header of this run', 'init-200.mp4', { isLive: true, newest: running, earlier }, 'newest'],
  ['a piece, and no worker is left', '105.m4s', { isLive: false }, 'nobody'],
] as const)('%s', (_name, file, situation, answerer) => {
  const isFirst = file === 'index.m3u8'
  expect(chooseRun({ newest: undefined, earlier: undefined, ...situation, file, isFirst })).toBe(answerer)
})
