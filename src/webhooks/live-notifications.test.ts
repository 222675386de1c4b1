import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { aScene } from '../../test/builders/process.ts'
import { type ProcessStateChange } from '../core/events.ts'
import { createLiveNotifications, type LiveNotifications } from './live-notifications.ts'
import { Notification } from './webhooks.messages.ts'

const processId = '00000000-0000-7000-8000-000000000001'
const mine = { processId, accountId: 'account' }

let clock: FakeClock
let published: { to: object; type: string; notification: Notification }[]
let live: LiveNotifications
beforeEach(() => {
  clock = createFakeClock()
  published = []
  live = createLiveNotifications({
    publish: ({ processId: id, accountId }, type, text) =>
      published.push({ to: { id, accountId }, type, notification: Notification.parse(JSON.parse(text)) }),
    trackLinks: { of: () => 'none', addTo: (notification) => notification },
    clock,
  })
})

const aChange = (change: Partial<ProcessStateChange> = {}): ProcessStateChange => ({
  ...mine,
  sourceId: 'source',
  state: 'running',
  previousState: 'starting',
  isLive: true,
  reason: null,
  restarts: 0,
  ...change,
})
const aLow = (allottedSeconds: number) => ({
  accountId: 'account',
  processIds: [processId],
  remainingSeconds: 60,
  allottedSeconds,
  lastsSeconds: 60,
})

test('each track is published once, at once and as a whole', () => {
  live.onScene(mine, aScene({ ids: [1, 2] }))
  live.onScene(mine, aScene({ ids: [1, 2] }))
  live.onScene(mine, aScene({ ids: [2, 3] }))
  expect(published.map(({ to, type }) => [to, type])).toEqual([
    [{ id: processId, accountId: 'account' }, 'new-tracks'],
    [{ id: processId, accountId: 'account' }, 'new-tracks'],
  ])
  expect(published.map(({ notification }) => notification)).toMatchObject([
    { process_uuid: processId, track_count: 2 },
    { track_count: 1, detections: [{ track_id: 3, class_name: 'person' }] },
  ])
})

test('without tracking there are no tracks', () => {
  live.onScene(mine, aScene({ ids: [0] }))
  expect(published).toEqual([])
})

test('every state is published, the last one too, and nothing is kept of what has ended', () => {
  live.onState(aChange())
  live.onScene(mine, aScene({ ids: [1] }))
  live.onState(aChange({ state: 'stopped', previousState: 'running', isLive: false, reason: 'requested' }))
  expect(
    published.filter(({ type }) => type === 'process-state').map(({ notification }) => notification),
  ).toMatchObject([
    { state: 'running', previous_state: 'starting', reason: null },
    { state: 'stopped', previous_state: 'running', reason: 'requested' },
  ])
  expect(live.count()).toBe(0)
})

test('that few minutes are left is published once, and again after more were given', () => {
  live.onState(aChange())
  for (const allottedSeconds of [100, 100, 200, 200]) live.onMinutesLow(aLow(allottedSeconds))
  expect(published.map(({ type }) => type)).toEqual(['process-state', 'minutes-low', 'minutes-low'])
})

test('it is not published of a process that ended while the minutes were looked up', () => {
  live.onState(aChange())
  live.onState(aChange({ state: 'stopped', previousState: 'running', isLive: false, reason: 'requested' }))
  live.onMinutesLow(aLow(100))
  expect(published.map(({ type }) => type)).toEqual(['process-state', 'process-state'])
  expect(live.count()).toBe(0)
})

test('of a process that goes on elsewhere nothing is kept', () => {
  live.onScene(mine, aScene({ ids: [1] }))
  live.handOver(processId)
  expect(live.count()).toBe(0)
})
