import { expect, test } from 'vitest'
import { arrivalText, skewText } from './delay-text.ts'

test.each([
  [160, '160 ms after the sender’s time', '160 ms later'],
  [0, '0 ms after the sender’s time', '0 ms later'],
  [-160, '160 ms before the sender’s time: that clock is ahead of this machine’s', '160 ms earlier'],
])('%i ms in words', (ms, arrival, skew) => {
  expect([arrivalText(ms, 'the sender’s time'), skewText(ms)]).toEqual([arrival, skew])
})
