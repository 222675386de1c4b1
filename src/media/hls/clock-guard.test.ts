import { expect, test } from 'vitest'
import { createClockGuard } from './clock-guard.ts'

/** How many frames pass, of those that come every 10 ms with these steps in their time. */
function passing(frames: number, stepSeconds: number, opening = 0): number {
  const guard = createClockGuard()
  for (let i = 0; i < opening; i++) if (guard.isAhead(i * 0.04, 0)) return -1
  for (let i = 0; i < frames; i++) if (guard.isAhead(opening * 0.04 + i * stepSeconds, i * 0.01)) return i
  return frames
}

test.each([
  { name: 'a stream in step passes', frames: 100_000, stepSeconds: 0.01, opening: 0, passed: 100_000 },
  {
    name: 'with all that the last keyframe began',
    frames: 100_000,
    stepSeconds: 0.01,
    opening: 2_500,
    passed: 100_000,
  },
  { name: 'a slow one too', frames: 100_000, stepSeconds: 0.001, opening: 0, passed: 100_000 },
  {
    name: 'one whose clock runs a little fast passes for a day',
    frames: 8_640_000,
    stepSeconds: 0.01001,
    opening: 0,
    passed: 8_640_000,
  },
  {
    name: 'one whose every frame would be a segment does not',
    frames: 100_000,
    stepSeconds: 1,
    opening: 0,
    passed: 132,
  },
])('$name', ({ frames, stepSeconds, opening, passed }) => expect(passing(frames, stepSeconds, opening)).toBe(passed))
