import { expect, test } from 'vitest'
import { type RecordingChoice } from '../core/recording-mode.ts'
import { chooseRecording, notRecorded, recordedAlways, type RecordingWish } from './recording-choice.ts'

const known = new Set(['person', 'car', 'truck'])
const people: RecordingChoice = { recordingMode: 'events', recordingClasses: ['person'] }
const all: RecordingChoice = { recordingMode: 'events', recordingClasses: null }

const accepted: readonly [RecordingChoice, RecordingWish, RecordingChoice][] = [
  [people, {}, people],
  [recordedAlways, {}, recordedAlways],
  // Clients that know no modes.
  [notRecorded, { record: true }, recordedAlways],
  [people, { record: true }, people],
  [people, { record: false }, notRecorded],
  // Those that know both.
  [notRecorded, { record: true, recording_mode: 'events' }, all],
  [people, { record: false, recording_mode: 'off' }, notRecorded],
  [
    recordedAlways,
    { recording_mode: 'events', recording_classes: ['car', 'car', 'truck'] },
    { ...all, recordingClasses: ['car', 'truck'] },
  ],
  [people, { recording_classes: [] }, { ...all, recordingClasses: [] }],
  [people, { recording_classes: null }, all],
  [people, { recording_mode: 'always' }, recordedAlways],
  [people, { recording_mode: 'always', recording_classes: null }, recordedAlways],
]
test.each(accepted)('%j and %j is %j', (before, wish, after) => {
  expect(chooseRecording(before, wish, known)).toEqual(after)
})

const refused: readonly [RecordingChoice, RecordingWish, string, RegExp][] = [
  [
    people,
    { record: false, recording_mode: 'events' },
    'body.record',
    /^false contradicts the recording_mode events; send/,
  ],
  [people, { record: true, recording_mode: 'off' }, 'body.record', /^true contradicts the recording_mode off; send/],
  [
    recordedAlways,
    { recording_classes: ['car'] },
    'body.recording_classes',
    /is events, and it is always; set it to events/,
  ],
  [people, { record: false, recording_classes: [] }, 'body.recording_classes', /and it is off; set/],
  [
    people,
    { recording_classes: ['car', 'persn'] },
    'body.recording_classes.1',
    /^No model knows persn\. Did you mean person\? GET \/models lists/,
  ],
  [
    people,
    { recording_classes: ['zeppelin'] },
    'body.recording_classes.0',
    /^No model knows zeppelin\. GET \/models lists/,
  ],
]
test.each(refused)('%j and %j is refused at %s', (before, wish, path, message) => {
  let thrown: unknown
  try {
    chooseRecording(before, wish, known)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toMatchObject({ code: 'input-invalid', errors: [{ path, message: expect.stringMatching(message) }] })
})
