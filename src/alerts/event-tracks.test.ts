import { expect, test } from 'vitest'
import { classesOfEvent, trackIdsOfEvent } from './event-tracks.ts'

const track = (class_name: string) => ({ track_id: 1, class_name })

test.each([
  ['those of its tracks, each once', { tracks: [track('car'), track('person'), track('car')] }, ['car', 'person']],
  ['that of its only track', { track: track('dog'), azimuth: null }, ['dog']],
  ['those that its alert looks for, where it names none', { total_count: 5 }, ['person', 'boat']],
  ['likewise without a single track', { tracks: [] }, ['person', 'boat']],
])('the classes of an event are %s', (_name, data, expected) => {
  expect(classesOfEvent({ filter: { classes: ['person', 'boat'] } }, { data })).toEqual(expected)
})

test('an alert that looks for everything has no classes to name', () => {
  expect(classesOfEvent({ filter: {} }, { data: { total_count: 5 } })).toBeNull()
})

test.each([
  [
    'all that it names, each once',
    { data: { tracks: [{ track_id: 4 }, { track_id: 2 }, { track_id: 4 }] }, trackId: 4 },
    [4, 2],
  ],
  ['the only one that it names', { data: { track: { track_id: 7 } } }, [7]],
  ['whom its picture shows, where it names none', { data: { line: 'gate' }, trackId: 3 }, [3]],
  ['nobody, where it is about nobody alone', { data: { total_count: 5 } }, []],
  ['nobody without tracking', { data: { tracks: [{ track_id: 0 }] } }, []],
])('an event is about %s', (_name, event, expected) => {
  expect(trackIdsOfEvent(event)).toEqual(expected)
})
