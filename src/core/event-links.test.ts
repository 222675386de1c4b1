import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createEventLinks, type EventLinkTarget } from './event-links.ts'
import { createLinkSigner } from './signed-token.ts'

const clock = createFakeClock()
const createLinks = (secret = 'secret') =>
  createEventLinks({
    signer: createLinkSigner(secret),
    serviceUrl: () => 'https://video.example.org',
    validMs: 3_600_000,
    clock,
  })
const links = createLinks()
const tokenOf = (target: EventLinkTarget, of = links) => new URL(of.urlOf(target)).searchParams.get('token')!

const event = { kind: 'event-picture', eventId: 'e1' } as const
const track = { kind: 'track-clip', processId: 'p1', trackId: 7 } as const

test.each<[EventLinkTarget, string]>([
  [event, '/alert_event/e1/picture.jpg'],
  [{ ...event, kind: 'event-clip' }, '/alert_event/e1/clip.mp4'],
  [{ ...track, kind: 'track-picture' }, '/process/p1/tracks/7/picture.jpg'],
  [track, '/process/p1/tracks/7/clip.mp4'],
])('a link to %j is at %s', (target, path) => {
  const url = new URL(links.urlOf(target))
  expect([url.origin, url.pathname]).toEqual(['https://video.example.org', path])
  expect(links.isValid(target, tokenOf(target))).toBe(true)
})

test.each<[string, EventLinkTarget, EventLinkTarget]>([
  ['another event', event, { ...event, eventId: 'e2' }],
  ['the clip beside it', event, { ...event, kind: 'event-clip' }],
  ['another track', track, { ...track, trackId: 8 }],
  ['the same track of another process', track, { ...track, processId: 'p2' }],
])('a link is for one thing, and not for %s', (_what, target, other) => {
  expect(links.isValid(other, tokenOf(target))).toBe(false)
})

test('it works until its time is over, and only if we have made it', async () => {
  const token = tokenOf(event)
  expect(links.isValid(event, tokenOf(event, createLinks('another')))).toBe(false)
  await clock.advance(3_599_000)
  expect(links.isValid(event, token)).toBe(true)
  await clock.advance(2_000)
  expect(links.isValid(event, token)).toBe(false)
})
