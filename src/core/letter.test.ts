import { describe, expect, test } from 'vitest'
import { isForPeople, labelOf, toLetter, toTestLetter } from './letter.ts'

const person = { track_id: 1, class_name: 'person' }
const car = { track_id: 2, class_name: 'car', latitude: 51.44165, longitude: -0.94551 }
const notification = (change: object = {}) =>
  JSON.stringify({
    alias: 'somebody by the fence',
    type: 'filter-search',
    event: 'found',
    source_alias: 'gate',
    timestamp: '2026-11-20T02:03:04.567Z',
    event_uuid: 'event',
    picture_url: 'https://aerie/picture',
    clip_url: 'https://aerie/clip',
    data: { tracks: [person, person, car] },
    ...change,
  })
const read = (change: object) => toLetter(notification(change), 'Europe/Berlin')

test('a letter says what, where and when, in the time of who reads it', () => {
  expect(read({})).toEqual({
    title: 'somebody by the fence · gate',
    text: '2 × person, car\n2026-11-20 03:03:04 (Europe/Berlin)',
    eventId: 'event',
    pictureUrl: 'https://aerie/picture',
    clipUrl: 'https://aerie/clip',
  })
})

test.each<[name: string, change: object, first: string]>([
  ['a place on Earth', { data: { tracks: [car] } }, 'car, at 51.441650, -0.945510'],
  ['a line that is crossed', { event: 'crossed', data: { line: 'gate', direction: 'left_to_right', track: person } }, 'person across gate, left to right'],
  ['a line that is crossed too often', { event: 'started', data: { line: 'gate', lines: [] } }, 'gate: started'],
  ['a crowd', { event: 'started', data: { total_count: 12, highest_count: 8 } }, 'started: 12 there, 8 in one place'],
  ['a track that is lost', { event: 'lost', data: { track: person } }, 'person: lost'],
  ['an event of later versions', { event: 'exploded', data: { size: 3 } }, 'exploded'],
  ['no data', { event: 'found', data: null }, 'found'],
])('%s', (_name, change, first) => expect(read(change).text.split('\n')[0]).toBe(first)) // prettier-ignore

test('what else happened is counted, and what was removed is left out', () => {
  expect(read({ earlier: [{}, {}], source_alias: null, picture_url: null })).toMatchObject({
    title: 'somebody by the fence',
    text: expect.stringMatching(/\n2 more before that\.$/),
    pictureUrl: null,
  })
})

test('a name cannot break the line, nor be endless', () => {
  const { title, text } = read({
    alias: `a\r\nBcc: x\u2028${'y'.repeat(500)}`,
    data: { tracks: [{ class_name: 'p\nq' }] },
  })
  expect(title).toMatch(/^a Bcc: x y+… · gate$/)
  expect(title.length).toBeLessThan(201)
  expect(text.split('\n')).toHaveLength(2)
  const many = read({ data: { tracks: Array.from({ length: 5_000 }, (_, n) => ({ class_name: `class ${n}` })) } })
  expect(many.text.length).toBeLessThan(1_001)
})

describe('sums', () => {
  test('say how many since when, and of what', () => {
    const labels = { 'somebody by the fence (gate)': 8, crowd: 4 }
    const contact_sum = { count: 15, fromMs: Date.parse('2026-11-20T21:04:00Z'), labels, others: 3 }
    expect(toLetter(JSON.stringify({ contact_sum }), 'Europe/Berlin')).toMatchObject({
      title: '15 more since 22:04',
      text: '8 × somebody by the fence (gate), 4 × crowd, 3 × others',
      eventId: null,
    })
  })
  test('count by alert and camera', () => {
    expect(labelOf(notification())).toBe('somebody by the fence (gate)')
    expect(labelOf(notification({ source_alias: null }))).toBe('somebody by the fence')
  })
})

test('where a track is from moment to moment is for machines', () => {
  expect(isForPeople(notification())).toBe(true)
  expect(isForPeople(notification({ event: 'update' }))).toBe(false)
})

test('a test says so', () => expect(toTestLetter('phone').title).toBe('Test · phone'))
