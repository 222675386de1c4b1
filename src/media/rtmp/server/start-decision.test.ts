import { expect, test } from 'vitest'
import { isTimeToStart } from './start-decision.ts'

const BOTH = { video: true, audio: true }
const VIDEO_ONLY = { video: true, audio: false }
const AUDIO_ONLY = { video: false, audio: true }

test.each([
  { name: 'nothing', hasVideo: false, hasAudio: false, promises: BOTH, waitedMs: 60_000, starts: false },
  { name: 'both', hasVideo: true, hasAudio: true, promises: undefined, waitedMs: 0, starts: true },
  { name: 'video, audio promised', hasVideo: true, hasAudio: false, promises: BOTH, waitedMs: 900, starts: false },
  {
    name: 'video, audio promised long ago',
    hasVideo: true,
    hasAudio: false,
    promises: BOTH,
    waitedMs: 1000,
    starts: true,
  },
  { name: 'video, no metadata', hasVideo: true, hasAudio: false, promises: undefined, waitedMs: 900, starts: false },
  {
    name: 'video, and no more promised',
    hasVideo: true,
    hasAudio: false,
    promises: VIDEO_ONLY,
    waitedMs: 0,
    starts: true,
  },
  { name: 'audio, video promised', hasVideo: false, hasAudio: true, promises: BOTH, waitedMs: 9000, starts: false },
  {
    name: 'audio, video promised long ago',
    hasVideo: false,
    hasAudio: true,
    promises: BOTH,
    waitedMs: 10_000,
    starts: true,
  },
  {
    name: 'audio, and no more promised',
    hasVideo: false,
    hasAudio: true,
    promises: AUDIO_ONLY,
    waitedMs: 1000,
    starts: true,
  },
])('$name after $waitedMs ms: $starts', ({ starts, ...known }) => expect(isTimeToStart(known)).toBe(starts))
