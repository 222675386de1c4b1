import { expect, test } from 'vitest'
import { aScene } from '../../test/builders/process.ts'
import { createTrackLinks, type TrackLinkDeps } from './track-links.ts'
import { newTracksNotification, Notification, processStateNotification } from './webhooks.messages.ts'

const processId = '00000000-0000-7000-8000-000000000001'

const linksOf = (facts: ReturnType<TrackLinkDeps['factsOf']>) =>
  createTrackLinks({
    links: { urlOf: (target) => `http://service/${target.kind}/${'trackId' in target ? target.trackId : ''}` },
    factsOf: () => facts,
  })

function notified(ids: readonly number[], format: 'simple' | 'full' = 'simple') {
  const scene = aScene({ ids: [...ids] })
  return newTracksNotification({ processId, scene, format }, scene.tracks)
}

test.each([
  { name: 'nobody knows', facts: undefined, linked: undefined },
  { name: 'it keeps no report', facts: { keepsPictures: false, sourceType: 'stream' as const }, linked: 'none' },
  {
    name: 'nothing is recorded of its file',
    facts: { keepsPictures: true, sourceType: 'file' as const },
    linked: 'pictures',
  },
  { name: 'there is all', facts: { keepsPictures: true, sourceType: 'stream' as const }, linked: 'pictures-and-clips' },
])('to what a process has links: $name', ({ facts, linked }) => {
  expect(linksOf(facts).of(processId)).toBe(linked)
})

test.each(['simple', 'full'] as const)('each track of a notification has them, whatever its format: %s', (format) => {
  const sent = linksOf(undefined).addTo(notified([4, 0], format), 'pictures-and-clips')
  expect(Notification.parse(sent)).toEqual(sent)
  expect((sent as { detections: unknown[] }).detections).toMatchObject([
    { track_id: 4, picture_url: 'http://service/track-picture/4', clip_url: 'http://service/track-clip/4' },
    { track_id: 0, picture_url: null, clip_url: null },
  ])
})

test('where there is nothing to link to, they are null, and all that was there before is as it was', () => {
  const before = notified([4])
  const { detections } = linksOf(undefined).addTo(before, 'pictures') as { detections: Record<string, unknown>[] }
  expect(detections).toMatchObject([{ picture_url: 'http://service/track-picture/4', clip_url: null }])
  const sent = linksOf(undefined).addTo(before, 'none')
  expect(JSON.parse(JSON.stringify(sent).replaceAll(',"picture_url":null,"clip_url":null', ''))).toEqual(before)
})

test('what is about no tracks stays as it is', () => {
  const change = { processId, state: 'running', previousState: 'starting', reason: null }
  const notification = processStateNotification(change, 0)
  expect(linksOf(undefined).addTo(notification, 'pictures')).toBe(notification)
})
