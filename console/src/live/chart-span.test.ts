import { expect, test } from 'vitest'
import { chartSpan } from './chart-span.ts'

test.each([
  { name: 'nothing yet: the minute until now', times: [], span: [940, 1000] },
  { name: 'one moment: the minute before it', times: [990], span: [930, 990] },
  { name: 'some seconds: still a minute', times: [985, 987, 990], span: [930, 990] },
  { name: 'some minutes: all of them', times: [700, 850, 990], span: [700, 990] },
])('$name', ({ times, span }) => expect(chartSpan(times, 1000)).toEqual(span))
