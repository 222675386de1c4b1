import { expect, test } from 'vitest'
import { chooseRun, isBack } from './hls-choice.ts'

const earlier = { firstSequence: 100, isOver: true }
const running = { firstSequence: 200, isOver: false }
const over = { firstSequence: 200, isOver: true }

test.each([
  ['nothing runs yet', 'index.m3u8', true, [], 'start'],
  ['nothing is live', 'index.m3u8', false, [], 'not-live'],
  ['somebody begins', 'index.m3u8', true, [running], running],
  ['somebody goes on', 'stream.m3u8', true, [running], running],
  ['it is gone, and the worker has not noticed', 'stream.m3u8', false, [running], running],
  ['somebody begins with what is gone', 'index.m3u8', false, [running], 'not-live'],
  ['somebody begins with what is over', 'index.m3u8', false, [over], 'not-live'],
  ['somebody goes on with what is over', 'stream.m3u8', false, [over], over],
  ['it is back', 'stream.m3u8', true, [over], 'start'],
  ['it is back, and there is a worker', 'stream.m3u8', true, [earlier, running], running],
  ['a piece of what is over', '205.m4s', false, [over], over],
  ['a piece of what is over, and it is back', '205.3.m4s', true, [over], over],
  ['a piece of the run before', '105.m4s', true, [earlier, running], earlier],
  ['a part of the run before', '105.3.m4s', true, [earlier, running], earlier],
  ['the header of the run before', 'init-100.mp4', true, [earlier, running], earlier],
  ['a piece of this run', '200.m4s', true, [earlier, running], running],
  ['the header of this run', 'init-200.mp4', true, [earlier, running], running],
  ['a piece of nobody’s', '5.m4s', true, [running], running],
  ['a piece, and no worker is left', '105.m4s', false, [], 'not-live'],
] as const)('%s', (_name, file, isLive, runs, answerer) => {
  expect(chooseRun({ file, isFirst: file === 'index.m3u8', isLive, runs })).toBe(answerer)
})

test.each([
  ['a path that is still called live just after its end', true, false, 50, false],
  ['a path that is gone', false, true, 700, false],
  ['one that was gone and is live', true, true, 50, true],
  ['one that only its worker lost', true, false, 500, true],
] as const)('%s', (_name, isLive, wasGone, waitedMs, expected) => {
  expect(isBack({ isLive, wasGone, waitedMs })).toBe(expected)
})
