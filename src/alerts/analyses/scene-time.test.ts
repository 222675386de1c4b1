import { expect, test } from 'vitest'
import { createHold } from './hold.ts'
import { createSceneTime } from './scene-time.ts'

test.each<{ name: string; takenAt: number[]; now: number[]; gaps?: number[] }>([
  { name: 'evenly', takenAt: [5000, 5100, 5200], now: [0, 100, 200] },
  { name: 'two out of order', takenAt: [0, 200, 100, 300], now: [0, 200, 200, 300] },
  { name: 'a gap', takenAt: [0, 100, 9000], now: [0, 100, 9000], gaps: [2] },
  {
    name: 'a slow machine',
    takenAt: [0, 3000, 6000, 9000, 30_000, 33_000],
    now: [0, 3000, 6000, 9000, 30_000, 33_000],
    gaps: [1, 4],
  },
  { name: 'two gaps', takenAt: [0, 100, 9000, 9100, 18_000], now: [0, 100, 9000, 9100, 18_000], gaps: [2, 4] },
  { name: 'a clock set back', takenAt: [90_000, 90_100, 0, 100], now: [0, 100, 100, 200], gaps: [2] },
])('time: $name', ({ takenAt, now, gaps = [] }) => {
  const timeOf = createSceneTime()
  const moments = takenAt.map(timeOf)
  expect(moments.map(({ nowMs }) => nowMs)).toEqual(now)
  expect(moments.flatMap(({ isAfterGap }, index) => (isAfterGap ? [index] : []))).toEqual(gaps)
})

/** One letter a tenth of a second: `+` holds, `-` does not, `.` nothing is seen. */
function holdOver(forMs: number, letters: string): string {
  const hold = createHold(forMs)
  const timeOf = createSceneTime()
  return [...letters]
    .map((letter, index) => {
      if (letter === '.') return '.'
      const change = hold.update(letter === '+', timeOf(index * 100))
      return change === 'started' ? 's' : change === 'ended' ? 'e' : '.'
    })
    .join('')
}

test.each([
  { name: 'at once', forMs: 0, seen: '-++-', expected: '.s..' },
  { name: 'after its time', forMs: 500, seen: '-+++++++', expected: '......s.' },
  { name: 'not when it is over before', forMs: 500, seen: '+++++--------', expected: '.............' },
  { name: 'a flicker does not begin anew', forMs: 500, seen: '++-+-++++', expected: '.....s...' },
  { name: 'a longer break does', forMs: 500, seen: '++++------+++++++', expected: '...............s.' },
  { name: 'it ends after two seconds', forMs: 0, seen: `+${'-'.repeat(22)}`, expected: `s${'.'.repeat(20)}e.` },
  {
    name: 'what comes back within two seconds never ended',
    forMs: 0,
    seen: `+${'-'.repeat(19)}+${'-'.repeat(21)}`,
    expected: `s${'.'.repeat(40)}e`,
  },
  {
    name: 'during a gap nothing held, nor ended',
    forMs: 500,
    seen: `+++${'.'.repeat(30)}+++++++`,
    expected: `${'.'.repeat(38)}s.`,
  },
  {
    name: 'after a gap the end is waited for anew',
    forMs: 0,
    seen: `+-${'.'.repeat(30)}${'-'.repeat(21)}`,
    expected: `s${'.'.repeat(51)}e`,
  },
])('hold: $name', ({ forMs, seen, expected }) => expect(holdOver(forMs, seen)).toBe(expected))
