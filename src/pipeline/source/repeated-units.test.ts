import { expect, test } from 'vitest'
import { createRepeatedUnits } from './repeated-units.ts'

const unit = (timestamp: number, bytes = 100) => ({ timestamp, nalUnits: [Buffer.alloc(bytes)] })

/** Which of the last reading are repeated, after those before it. */
function readAll(...readings: readonly (readonly ReturnType<typeof unit>[])[]): boolean[] {
  const repeated = createRepeatedUnits()
  let last: boolean[] = []
  for (const reading of readings) {
    repeated.startReading()
    last = reading.map((one) => repeated.isRepeated(one))
  }
  return last
}

const group = [unit(9_000), unit(18_000), unit(13_500)]

test.each([
  { name: 'nothing in the first reading', readings: [group], expected: [false, false, false] },
  { name: 'what is sent again', readings: [group, group], expected: [true, true, true] },
  { name: 'what is sent again and again', readings: [group, group, [], group], expected: [true, true, true] },
  { name: 'not what follows', readings: [group, [...group, unit(27_000)]], expected: [true, true, true, false] },
  {
    name: 'nothing of a stream that begins anew',
    readings: [group, [unit(500), unit(9_000)]],
    expected: [false, false],
  },
  {
    name: 'nothing of one with the same times',
    readings: [group, [unit(9_000, 7), unit(18_000, 8)]],
    expected: [false, false],
  },
  { name: 'no time that stands still', readings: [[unit(1), unit(1)]], expected: [false, false] },
])('repeated is $name', ({ readings, expected }) => expect(readAll(...readings)).toEqual(expected))

test('what a long stream sent is remembered up to a bound', () => {
  const long = Array.from({ length: 10_000 }, (_, index) => unit(index))
  expect(readAll(long, [unit(10_000 - 4_096)])).toEqual([true])
  expect(readAll(long, [unit(10_000 - 4_097)])).toEqual([false])
})
