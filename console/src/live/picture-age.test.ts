import { type ProcessInfo, type SourceRecord } from '@aerie/client'
import { expect, test } from 'vitest'
import { oldPictureOf, oldPictureWords } from './picture-age.ts'

const takenAt = '2026-05-17T14:05:33.000Z'
const frame = (ageMs: number) => ({ last_frame_at: takenAt, last_frame_age_ms: ageMs })
const process = (fields: object) =>
  ({ state: 'running', error: null, telemetry: null, ...fields }) as unknown as ProcessInfo
const freshSource = frame(100) as unknown as SourceRecord
const none = { last_frame_at: null, last_frame_age_ms: null }
const silentSource = none as SourceRecord

test.each([
  ['a fresh one', process(frame(200)), undefined, undefined],
  ['one of a moment ago', process(frame(5_000)), undefined, undefined],
  ['an old one', process(frame(12_000)), undefined, 12_000],
  ['one of a paused process, whose video goes on', process({ state: 'paused', ...frame(9_000) }), undefined, undefined],
  ['one that is paused and lost', process({ state: 'paused', error: 'Lost.', ...frame(9_000) }), undefined, 9_000],
  ['the source is shown and goes on, the worker does not', process(frame(12_000)), freshSource, undefined],
  ['nothing is known of the source', process(frame(12_000)), silentSource, 12_000],
  ['nothing is known of either', process(none), silentSource, undefined],
])('%s', (_name, watched, shownSource, ageMs) =>
  expect(oldPictureOf(watched, shownSource)).toEqual(ageMs === undefined ? undefined : { takenAt, ageMs }),
)

test('its time and its age are said', () => {
  expect(oldPictureWords(takenAt, 12_300)).toMatch(/^Last picture \d+:05:33\D*, 12 s ago$/)
})
