import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { aScene } from '../../test/builders/process.ts'
import { createDurableNotifier } from '../delivery/durable-notifier.ts'
import { createProgressWriter } from '../delivery/progress-writer.ts'
import { createLog } from '../observe/log.ts'
import { type OutboundMessage } from '../core/outbound-message.ts'
import { newProgress, type Progress, type StoredSubscription } from './progress.ts'
import { type EventType } from './subscription.ts'
import { createTrackLinks, type TrackLinkDeps } from './track-links.ts'
import { createWatch, type Watch } from './watch.ts'
import { type Notification } from './webhooks.messages.ts'

let clock: FakeClock
let sent: { id: string; channel: string; notification: Notification }[]
let saved: Map<string, Progress>
let ended: string[]
let isDiskFull: boolean
/** How far things have come can't be written. */
let isSaveRefused: boolean
let isAway: boolean
/** When the next one may be sent, by channel. */
let clearAtMs: Map<string, number>
/** Of the process, while it goes on. */
let facts: ReturnType<TrackLinkDeps['factsOf']>
let watch: Watch

function create(): Watch {
  async function send({ id, channel, body, spacingMs = 0 }: OutboundMessage): Promise<void> {
    if (isDiskFull) throw new Error('The disk is full.')
    if (sent.some((one) => one.id === id)) return
    sent.push({ id, channel, notification: JSON.parse(body) as Notification })
    clearAtMs.set(channel, clock.now() + spacingMs)
  }
  return createWatch({
    store: {
      async saveProgress(newest) {
        if (isSaveRefused) throw new Error('away')
        for (const [id, { progress }] of newest) saved.set(id, progress)
      },
      isKnownElsewhere: () => true,
      end: async (processId) => void ended.push(processId),
    },
    onLeft: () => {},
    delivery: {
      createDurableNotifier: (source) => createDurableNotifier(source, { send, clock }),
      createProgressWriter: (options) => createProgressWriter(options, clock),
      async whenClear(channel, signal) {
        const leftMs = () => (isAway ? 1_000 : (clearAtMs.get(channel) ?? 0) - clock.now())
        while (leftMs() > 0 && !signal.aborted) await clock.sleep(leftMs(), signal)
      },
    },
    trackLinks: createTrackLinks({
      links: { urlOf: (target) => `http://service/${JSON.stringify(target)}` },
      factsOf: () => facts,
    }),
    clock,
    log: createLog({ level: 'silent' }),
  })
}
beforeEach(() => {
  facts = undefined
  clock = createFakeClock()
  sent = []
  saved = new Map()
  ended = []
  isDiskFull = false
  isSaveRefused = false
  isAway = false
  clearAtMs = new Map()
  watch = create()
})

const aSubscription = (eventType: EventType, progress: Progress = newProgress('running')): StoredSubscription => ({
  id: eventType,
  accountId: 'account',
  processId: 'p',
  notificationUrl: 'http://127.0.0.1/',
  eventType,
  notificationFormat: 'simple',
  backoffMs: 5_000,
  authUrl: null,
  secret: 'whsec_',
  progress,
  createdAt: 0,
  endedAt: null,
})
const see = (...ids: number[]) => watch.onScene({ processId: 'p' }, aScene({ ids }))
const bodies = () => sent.map(({ notification }) => notification)
const change = (previousState: string, state: string, isLive = true) =>
  watch.onState({ processId: 'p', previousState, state, isLive, reason: isLive ? null : 'requested' })

test('new tracks are sent once each, spaced by the backoff', async () => {
  watch.add(aSubscription('new-tracks'))
  see(1)
  await clock.advance(0)
  for (const ids of [[1, 2], [2, 3], [3]]) see(...ids)
  expect(bodies()).toMatchObject([{ track_count: 1, detections: [{ id: 1 }] }])
  await clock.advance(5_000)
  expect(bodies()[1]).toMatchObject({ track_count: 2, detections: [{ id: 2 }, { id: 3 }] })
  await clock.advance(60_000)
  expect(sent).toHaveLength(2)
})

test('what happens while the receiver is away is sent together when it is back, in order and completely', async () => {
  watch.add(aSubscription('new-tracks'))
  watch.add(aSubscription('process-state'))
  isAway = true
  for (let id = 1; id <= 300; id++) {
    see(id)
    if (id % 100 === 0) await change('running', 'reconnecting')
    if (id % 100 === 50) await change('reconnecting', 'running')
    await clock.advance(1_000)
  }
  expect(sent).toEqual([])
  isAway = false
  await clock.advance(1_000)
  expect(bodies()).toMatchObject([{ track_count: 300 }, { changes: Array.from({ length: 6 }, () => ({})) }])
  const [tracks] = bodies()
  expect(tracks!.type === 'new-tracks' && tracks!.detections.map((one) => 'id' in one && one.id)).toEqual(
    Array.from({ length: 300 }, (_, index) => index + 1),
  )
})

test('another number of targets is sent, with every change between', async () => {
  watch.add(aSubscription('target-count'))
  for (const ids of [[], [1]]) see(...ids)
  await clock.advance(0)
  for (const ids of [[1], [1, 2], [1, 2, 3], [3]]) see(...ids)
  await clock.advance(5_000)
  expect(bodies()).toMatchObject([
    { previous_count: 0, track_count: 1 },
    { previous_count: 1, track_count: 1, changes: [{ track_count: 2 }, { track_count: 3 }, { track_count: 1 }] },
  ])
})

test('the end of a process is in the outbox at once, with all that was gathered', async () => {
  for (const type of ['new-tracks', 'target-count', 'process-state'] as const) watch.add(aSubscription(type))
  see(1)
  await change('running', 'reconnecting')
  await clock.advance(0)
  see(1, 2)
  await change('reconnecting', 'stopped', false)
  const states = bodies().filter(({ type }) => type === 'process-state')
  expect(states).toMatchObject([
    { previous_state: 'running', state: 'reconnecting' },
    { previous_state: 'reconnecting', state: 'stopped', reason: 'requested' },
  ])
  expect(bodies().filter(({ type }) => type === 'new-tracks')).toMatchObject([{ track_count: 1 }, { track_count: 1 }])
  expect(ended).toEqual(['p'])
  see(1, 2, 3)
  await clock.advance(60_000)
  expect(sent).toHaveLength(6)
})

/** Track 1 was sent; track 2 is gathered, and on disk. */
async function gatherOne(): Promise<void> {
  watch.add(aSubscription('new-tracks'))
  see(1)
  await clock.advance(0)
  see(2)
  await clock.advance(250)
  await clock.advance(0)
}

test('what is gathered is on disk within a moment, and goes as it is after a crash, under the same id', async () => {
  await gatherOne()
  const kept = JSON.parse(JSON.stringify(saved.get('new-tracks'))) as Progress
  expect(kept).toMatchObject({ lastTrackId: 2, released: [], gathered: { notification: { track_count: 1 } } })
  // For the one that crashed no time passes any more.
  clock = createFakeClock(clock.now())
  watch = create()
  watch.add(aSubscription('new-tracks', kept))
  see(2, 3)
  await clock.advance(5_000)
  expect(bodies().slice(1)).toMatchObject([{ detections: [{ id: 2 }] }, { detections: [{ id: 3 }] }])
  expect(sent[1]!.id).toBe(kept.gathered!.id)
})

test('a count that is in the outbox is the previous one after a crash, however soon that was', async () => {
  const registered = aSubscription('target-count')
  watch.add(registered)
  see(1, 2, 3)
  await clock.advance(0)
  expect(bodies()).toMatchObject([{ previous_count: 0, track_count: 3 }])
  const kept = saved.get('target-count') ?? registered.progress
  // For the one that crashed no time passes any more.
  clock = createFakeClock(clock.now())
  watch = create()
  watch.add(aSubscription('target-count', kept))
  see(4)
  await clock.advance(0)
  await clock.advance(5_000)
  expect(bodies().slice(1)).toMatchObject([{ previous_count: 3, track_count: 1 }])
})

test('what was on its way to the outbox is taken there again after a crash, and is not doubled', async () => {
  isDiskFull = true
  watch.add(aSubscription('new-tracks'))
  see(1)
  await clock.advance(250)
  const kept = saved.get('new-tracks')!
  expect(kept.released).toHaveLength(1)
  isDiskFull = false
  await clock.advance(1_000)
  expect(sent).toHaveLength(1)
  watch = create()
  watch.add(aSubscription('new-tracks', kept))
  await clock.advance(1_000)
  expect(sent).toHaveLength(1)
})

test('what joins after a crash is not lost with what was sent before it', async () => {
  await gatherOne()
  const kept = saved.get('new-tracks')!
  await clock.advance(4_750)
  expect(sent.at(-1)!.id).toBe(kept.gathered!.id)
  watch = create()
  watch.add(aSubscription('new-tracks', kept))
  see(3)
  await clock.advance(0)
  await clock.advance(5_000)
  expect(bodies().slice(1)).toMatchObject([{ detections: [{ id: 2 }] }, { detections: [{ id: 3 }] }])
})

test('a closed watch has written what it gathered', async () => {
  watch.add(aSubscription('new-tracks'))
  see(1)
  await clock.advance(0)
  see(2)
  await watch.close()
  expect(saved.get('new-tracks')).toMatchObject({ gathered: { notification: { track_count: 1 } } })
})

test('a receiver that unsubscribed gets nothing more', async () => {
  watch.add(aSubscription('new-tracks'))
  see(1)
  await clock.advance(0)
  see(2)
  await watch.remove('new-tracks')
  see(3)
  await clock.advance(60_000)
  expect(sent).toHaveLength(1)
})

test('few minutes are a warning once, after a restart too, and again when more were given and are few again', async () => {
  const low = (remainingSeconds: number, allottedSeconds: number) => ({
    accountId: 'account',
    processIds: ['other', 'p'],
    remainingSeconds,
    allottedSeconds,
    lastsSeconds: remainingSeconds / 2,
  })
  watch.add(aSubscription('minutes-low'))
  watch.add(aSubscription('process-state'))
  for (const seconds of [600, 590, 580]) watch.onMinutesLow(low(seconds, 6_000))
  await clock.advance(300)
  const warning = {
    process_uuid: 'p',
    timestamp: expect.any(String) as string,
    occurred_at: expect.any(String) as string,
    type: 'minutes-low',
    remaining_minutes: 10,
    lasts_minutes: 5,
    running_processes: 2,
  }
  expect(sent.map(({ notification }) => notification)).toEqual([warning])
  await watch.close()

  watch = create()
  watch.add(aSubscription('minutes-low', saved.get('minutes-low')))
  watch.onMinutesLow(low(570, 6_000))
  await clock.advance(10_000)
  expect(sent).toHaveLength(1)
  watch.onMinutesLow(low(590, 12_000))
  await clock.advance(10_000)
  expect(sent.at(-1)?.notification).toEqual({ ...warning, remaining_minutes: 9, lasts_minutes: 4 })
  expect(sent).toHaveLength(2)
  await watch.close()
})

test('a process that goes on elsewhere is watched no more, and goes on there with all that was gathered', async () => {
  watch.add(aSubscription('new-tracks'))
  watch.add({ ...aSubscription('target-count'), processId: 'other' })
  see(1, 2)
  await clock.advance(300)
  see(3)
  await watch.handOver('p')
  see(4)
  await clock.advance(10_000)
  expect(sent).toHaveLength(1)
  expect(watch.watched().map(({ processId }) => processId)).toEqual(['other'])
  expect(saved.get('new-tracks')).toMatchObject({ lastTrackId: 3, released: [], gathered: { notification: {} } })
  expect(ended).toEqual([])

  const elsewhere = create()
  elsewhere.add(aSubscription('new-tracks', saved.get('new-tracks')))
  elsewhere.onScene({ processId: 'p' }, aScene({ ids: [3, 4] }))
  await clock.advance(10_000)
  const ids = bodies().flatMap((body) => ('detections' in body ? body.detections.map((one) => one.track_id) : []))
  expect(ids).toEqual([1, 2, 3, 4])
  await elsewhere.close()
  await watch.close()
})

test('what cannot be written of a process keeps it from going elsewhere', async () => {
  watch.add(aSubscription('new-tracks'))
  see(1)
  await clock.advance(300)
  isSaveRefused = true
  await expect(watch.handOver('p')).rejects.toThrow('away')
  isSaveRefused = false
  await watch.close()
})

test('one that is watched already is not watched twice', async () => {
  watch.add(aSubscription('new-tracks'))
  see(1)
  await clock.advance(300)
  watch.add(aSubscription('new-tracks'))
  see(1, 2)
  await clock.advance(10_000)
  expect(sent).toHaveLength(2)
  await watch.close()
})

test('tracks have links for as long as their process is known to have a report, also after its end and a restart', async () => {
  const linksOf = () =>
    (sent.at(-1)!.notification as { detections: Record<string, unknown>[] }).detections.map((one) => [
      one['picture_url'] !== null,
      one['clip_url'] !== null,
    ])
  facts = { keepsPictures: true, sourceType: 'stream' }
  watch.add(aSubscription('new-tracks'))
  watch.onScene({ processId: 'p' }, aScene({ ids: [1, 2] }))
  await clock.advance(0)
  expect(linksOf()).toEqual([
    [true, true],
    [true, true],
  ])
  watch.onScene({ processId: 'p' }, aScene({ ids: [3] }))
  await watch.close()
  const progress = saved.get('new-tracks')!
  // Links would be far more than what is gathered of a track.
  expect(JSON.stringify(progress)).not.toContain('_url')
  facts = undefined
  watch = create()
  watch.add(aSubscription('new-tracks', progress))
  await clock.advance(5_000)
  expect(linksOf()).toEqual([[true, true]])
})
