import { expect, test } from 'vitest'
import { isTimeToStart } from './stream-demuxer.ts'

const BOTH = { video: true, audio: true }
const VIDEO_ONLY = { video: true, audio: false }
const AUDIO_ONLY = { video: false, audio: true }

test.each([
  { name: 'nothing', hasVideo: false, hasAudio: false, announced: BOTH, waitedMs: 60_000, starts: false },
  { name: 'both', hasVideo: true, hasAudio: true, announced: undefined, waitedMs: 0, starts: true },
  { name: 'video, audio announced', hasVideo: true, hasAudio: false, announced: BOTH, waitedMs: 900, starts: false },
  {
    name: 'video, audio announced long ago',
    hasVideo: true,
    hasAudio: false,
    announced: BOTH,
    waitedMs: 1000,
    starts: true,
  },
  { name: 'video, no metadata', hasVideo: true, hasAudio: false, announced: undefined, waitedMs: 900, starts: false },
  {
    name: 'video, and no more announced',
    hasVideo: true,
    hasAudio: false,
    announced: VIDEO_ONLY,
    waitedMs: 0,
    starts: true,
  },
  { name: 'audio, video announced', hasVideo: false, hasAudio: true, announced: BOTH, waitedMs: 9000, starts: false },
  {
    name: 'audio, video announced long ago',
    hasVideo: false,
    hasAudio: true,
    announced: BOTH,
    waitedMs: 10_000,
    starts: true,
  },
  {
    name: 'audio, and no more announced',
    hasVideo: false,
    hasAudio: true,
    announced: AUDIO_ONLY,
    waitedMs: 1000,
    starts: true,
  },
])('$name after $waitedMs ms: $starts', ({ starts, ...known }) => expect(isTimeToStart(known)).toBe(starts))
