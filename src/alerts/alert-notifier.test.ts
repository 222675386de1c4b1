import { type OutboundMessage } from '../core/outbound-message.ts'
import { describe, expect, test } from 'vitest'
import { anAlert } from '../../test/builders/alerts.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createDurableNotifier } from '../delivery/durable-notifier.ts'
import { createProgressWriter } from '../delivery/progress-writer.ts'
import { createLog } from '../observe/log.ts'
import { type Setup } from './alert.ts'
import { type Progress, readStoredProgress } from './progress.ts'
import { newEventId } from './event-id.ts'
import { createSendBudget, type SendBudget } from './send-budget.ts'
import { createAlertNotifier } from './alert-notifier.ts'

interface Options {
  readonly isAway?: boolean
  readonly setup?: Setup
  readonly budget?: SendBudget
  readonly progressBudget?: SendBudget
}

interface Body {
  readonly event: string
  readonly sequence: number
  readonly event_uuid: string | null
  readonly picture_url: string | null
  readonly clip_url: string | null
  readonly data: { readonly place: number }
}

function setUp({ isAway = false, setup = anAlert().setup, budget, progressBudget }: Options = {}) {
  const clock = createFakeClock()
  const lines: string[] = []
  const sent: number[] = []
  const bodies: Body[] = []
  const published: (readonly [type: string, body: Body])[] = []
  const saved: (Progress | null)[] = []
  const database = { isAway, isRecordAway: false }
  /** What becomes of events. */
  const log: string[] = []
  let reserved = 0
  const alert = anAlert({ setup })
  let underWay = 0
  const counts = { maxUnderWay: 0 }
  async function send({ body }: OutboundMessage): Promise<void> {
    counts.maxUnderWay = Math.max(counts.maxUnderWay, ++underWay)
    await Promise.resolve()
    underWay -= 1
    if (database.isAway) throw new Error('away')
    const notification = JSON.parse(body) as Body
    log.push(`send ${notification.event_uuid}`)
    sent.push(notification.sequence)
    bodies.push(notification)
  }
  const notifier = createAlertNotifier(
    alert.id,
    { processId: 'p', accountId: 'a', sourceId: 's' },
    {
      delivery: {
        createDurableNotifier: (source) => createDurableNotifier(source, { send, clock }),
        createProgressWriter: (options) => createProgressWriter(options, clock),
      },
      budget: budget ?? { take: async () => {} },
      progressBudget: progressBudget ?? { take: async () => {} },
      sources: { find: async () => ({ alias: 'camera', type: 'stream' }) },
      record: {
        begin(_process, event) {
          const eventId = newEventId(event)
          if (eventId !== null) log.push(`begin ${eventId}`)
          return eventId
        },
        async write(_process, events) {
          log.push(...events.map(({ eventId }) => `write ${eventId}`))
          if (database.isRecordAway) throw new Error('away')
        },
        publish: (_process, events) => void log.push(...events.map(({ eventId }) => `publish ${eventId}`)),
      },
      links: { urlOf: (target) => `${target.kind} ${'eventId' in target ? target.eventId : ''}` },
      publishNotification: (_process, type, body) => void published.push([type, JSON.parse(body) as Body]),
      sequences: {
        reserve: async (_alert, _process, count) => (reserved += count),
        addChannel: async () => {},
        saveProgress: async (_alert, _process, progress) =>
          void saved.push(progress === null ? null : readStoredProgress(progress)),
      },
      clock,
      log: createLog({ level: 'error', write: (line) => void lines.push(line) }),
    },
  )
  const notify = (count: number) => {
    for (let index = 0; index < count; index++) notifier.notify(alert, [{ event: 'found', data: {} }], { takenAtMs: 0 })
  }
  return {
    alert,
    counts,
    clock,
    lines,
    sent,
    bodies,
    published,
    saved,
    database,
    log,
    notifier,
    notify,
    reserved: () => reserved,
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('numbers are set aside a hundred at a time', async () => {
  const { notifier, notify, sent, reserved } = setUp()
  notify(250)
  await notifier.flush()
  expect(sent).toEqual(upTo(250))
  expect(reserved()).toBe(300)
})

test('a thousand wait for a database that is away; of more it is logged how many were lost', async () => {
  const { clock, lines, sent, database, notifier, notify } = setUp({ isAway: true })
  notify(1_010)
  await clock.advance(1_000)
  database.isAway = false
  await clock.advance(1_000)
  await notifier.flush()
  expect(sent).toEqual(upTo(1_000))
  expect(lines.at(-1)).toContain('"lost":10')
})

test('each notification is published once, as its outputs get it, when it is on disk for them', async () => {
  const mqtt = (topic: string): Setup['output'][number] => ({
    type: 'mqtt',
    config: { host: 'localhost', topic, qos: 1, retain: false },
  })
  const setup = { ...anAlert().setup, output: [mqtt('one'), mqtt('two')] }
  const { clock, bodies, published, database, notifier, notify } = setUp({ isAway: true, setup })
  notify(3)
  await clock.advance(1_000)
  expect(published).toEqual([])
  database.isAway = false
  await clock.advance(1_000)
  await notifier.flush()
  expect(bodies).toHaveLength(6)
  expect(published.map(([, { sequence }]) => sequence)).toEqual([1, 2, 3])
  for (const [type, body] of published) {
    expect(type).toBe(setup.type)
    expect(bodies).toContainEqual(body)
  }
})

test('who closes waits no longer than for one try', async () => {
  const { sent, notifier, notify } = setUp({ isAway: true })
  notify(5)
  await notifier.close()
  expect(sent).toEqual([])
})

test('what is discarded is handed over no more', async () => {
  const { sent, notifier, notify } = setUp()
  notify(5)
  await notifier.discard()
  const before = sent.length
  expect(before).toBeLessThanOrEqual(1)
  notify(5)
  await notifier.flush()
  expect(sent).toHaveLength(before)
})

test('what is left to be told is on disk before its beginning is handed over, and is forgotten when it is over', async () => {
  const { alert, clock, sent, saved, notifier } = setUp()
  const seenAt = { takenAtMs: 0 }
  const over = { alert, events: [{ event: 'ended', data: {} }], seenAt }
  notifier.notify(alert, [{ event: 'started', data: {} }], seenAt, over)
  while (saved.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(saved).toMatchObject([{ inFlight: [{ sequence: 1, event: { event: 'started' } }], unfinished: over }])
  await notifier.flush()
  expect(saved.slice(1)).toMatchObject([{ inFlight: [], unfinished: over }])
  notifier.notify(alert, [{ event: 'ended', data: {} }], seenAt, { ...over, events: [] })
  await notifier.flush()
  await clock.advance(500)
  expect(sent).toEqual([1, 2])
  expect(saved.at(-1)).toBeNull()
})

test('where a crash cut it short it goes on: the same numbers first, then what was left', async () => {
  const { alert, sent, bodies, log, notifier } = setUp()
  const seenAt = { takenAtMs: 0 }
  const event = { event: 'started', data: {} }
  const process = { processId: 'p', accountId: 'a', sourceId: 's' }
  const unfinished = { alert, events: [{ event: 'ended', data: {} }], seenAt }
  notifier.restore({ process, inFlight: [{ alert, event, seenAt, sequence: 7, eventId: 'before' }], unfinished })
  await notifier.flush()
  expect(sent).toEqual([7, 1])
  // Nobody has a picture of it any more.
  expect(log.filter((line) => line.startsWith('begin'))).toEqual([])
  expect(log.indexOf('write before')).toBeLessThan(log.indexOf('send before'))
  expect(bodies.map(({ event_uuid: id }) => id)).toEqual(['before', expect.stringMatching(/^[\da-f-]{36}$/)])
})

test('what happens in one frame is handed over together, to all outputs at once', async () => {
  const { setup } = anAlert()
  const output = [...setup.output, { type: 'webhook' as const, config: { url: 'http://x/' } }]
  const { alert, counts, sent, notifier } = setUp({ setup: { ...setup, output } })
  const crossed = upTo(10).map(() => ({ event: 'crossed', data: {} }))
  notifier.notify(alert, crossed, { takenAtMs: 0 })
  await notifier.flush()
  expect(counts.maxUnderWay).toBe(20)
  expect(sent).toEqual(upTo(10).flatMap((sequence) => [sequence, sequence]))
})

/** Nobody gets a turn before it is let through, unless it is in a hurry. */
function createClosedBudget() {
  const turns: (() => void)[] = []
  return {
    taken: [] as number[],
    take(_accountId: string, messages: number, signal: AbortSignal) {
      this.taken.push(messages)
      return new Promise<void>((resolve) => {
        if (signal.aborted) return resolve()
        turns.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    },
    letThrough: () => void turns.shift()!(),
  }
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 5))
const seenAt = { takenAtMs: 0 }
const anEvent = (event: string, place = 0) => ({ event, data: { place } })

test('where a target was is not told once it is somewhere else; all else is, in order', async () => {
  const budget = createClosedBudget()
  const { alert, bodies, notifier } = setUp({ budget })
  notifier.notify(alert, [anEvent('acquired')], seenAt)
  for (const place of [1, 2, 3]) notifier.notify(alert, [anEvent('update', place)], seenAt)
  notifier.notify(alert, [anEvent('lost', 3)], seenAt)
  notifier.notify(alert, [anEvent('acquired', 4)], seenAt)
  for (const place of [5, 6]) notifier.notify(alert, [anEvent('update', place)], seenAt)
  await settle()
  expect(bodies).toEqual([])
  budget.letThrough()
  await settle()
  for (const place of [7, 8]) notifier.notify(alert, [anEvent('update', place)], seenAt)
  budget.letThrough()
  await notifier.flush()
  expect(bodies.map(({ event, data }) => `${event} ${data.place}`)).toEqual([
    'acquired 0',
    'update 3',
    'lost 3',
    'acquired 4',
    'update 8',
  ])
  expect(bodies.map(({ sequence }) => sequence)).toEqual(upTo(5))
})

test('what is under way is never replaced', async () => {
  const { alert, bodies, database, notifier, clock } = setUp({ isAway: true })
  notifier.notify(alert, [anEvent('update', 1)], seenAt)
  await settle()
  for (const place of [2, 3]) notifier.notify(alert, [anEvent('update', place)], seenAt)
  database.isAway = false
  await clock.advance(1_000)
  await notifier.flush()
  expect(bodies.map(({ data }) => data.place)).toEqual([1, 3])
})

test('a flood of positions costs what the account may send, and the newest arrives', async () => {
  const { setup } = anAlert()
  const clock = createFakeClock()
  const output = Array.from({ length: 8 }, (_, index) => ({
    type: 'webhook' as const,
    config: { url: `http://x/${index}` },
  }))
  const { alert, bodies, notifier } = setUp({ setup: { ...setup, output }, budget: createSendBudget(clock) })
  for (let frame = 0; frame < 1_000; frame++) {
    notifier.notify(alert, [anEvent('update', frame)], seenAt)
    await clock.advance(10)
  }
  for (let step = 0; step < 50; step++) await clock.advance(100)
  await notifier.flush()
  // Ten seconds at 200 a second, and 400 at first.
  expect(bodies.length).toBeLessThanOrEqual(2_430)
  expect(bodies.length).toBeGreaterThanOrEqual(2_000)
  expect(bodies.at(-1)!.data.place).toBe(999)
})

test('of what is not a position no more than a hundred are held back, and none is lost', async () => {
  const { sent, notifier, notify } = setUp({ budget: createClosedBudget() })
  notify(100)
  await settle()
  expect(sent).toEqual([])
  notify(900)
  await settle()
  expect(sent.length).toBeGreaterThanOrEqual(900)
  await notifier.close()
  expect(sent).toEqual(upTo(1_000))
})

test.each(['close', 'discard'] as const)('to %s it waits for no turn', async (end) => {
  const { sent, notifier, notify } = setUp({ budget: createClosedBudget() })
  notify(5)
  await settle()
  await notifier[end]()
  expect(sent).toEqual(end === 'close' ? upTo(5) : [])
})

test('what is left to be told is written while positions keep coming', async () => {
  const budget = createClosedBudget()
  const { alert, clock, saved, notifier } = setUp({ budget })
  const move = async (place: number) => {
    notifier.notify(alert, [anEvent('update', place)], seenAt)
    notifier.setUnfinished({ alert, events: [anEvent('lost', place)], seenAt })
    await settle()
  }
  await move(1)
  await move(2)
  budget.letThrough()
  await move(3)
  await clock.advance(500)
  await settle()
  expect(saved.at(-1)).toMatchObject({ inFlight: [], unfinished: { events: [{ data: { place: 3 } }] } })
  await notifier.discard()
})

test('an event is begun at once, written before it is sent, and published when it is on disk', async () => {
  const { alert, log, bodies, database, notifier, clock } = setUp()
  database.isRecordAway = true
  notifier.notify(alert, [anEvent('found')], seenAt)
  const id = log[0]!.replace('begin ', '')
  await settle()
  expect(log).toEqual([`begin ${id}`, `write ${id}`])
  database.isRecordAway = false
  await clock.advance(1_000)
  await notifier.flush()
  expect(log.slice(2)).toEqual([`write ${id}`, `send ${id}`, `publish ${id}`])
  expect(bodies).toMatchObject([{ event_uuid: id, picture_url: `event-picture ${id}`, clip_url: `event-clip ${id}` }])
})

test('its id is on disk before it is written, so that a restart writes no second one', async () => {
  const { alert, log, saved, notifier } = setUp()
  notifier.notify(alert, [anEvent('started')], seenAt, { alert, events: [anEvent('ended')], seenAt })
  await notifier.flush()
  const [first] = saved
  expect(log.at(-1)).toBe(`publish ${first!.inFlight[0]!.eventId}`)
  expect(log[0]).toBe(`begin ${first!.inFlight[0]!.eventId}`)
})

test('an update is no event of its own: it has no id, no links, and is not begun', async () => {
  const { alert, log, bodies, notifier } = setUp()
  notifier.notify(alert, [anEvent('update', 1)], seenAt)
  await notifier.flush()
  expect(bodies).toMatchObject([{ event: 'update', event_uuid: null, picture_url: null, clip_url: null }])
  expect(log).not.toContainEqual(expect.stringContaining('begin'))
})

describe('pictures', () => {
  const found = (chars: number) => ({
    event: 'found',
    data: { tracks: [{ track_id: 1, image: 'x'.repeat(chars) }], more: 0 },
  })
  const at = { takenAtMs: 0 }

  test('are sent, and not written with the progress', async () => {
    const { alert, notifier, bodies, saved } = setUp()
    const unfinished = { alert, events: [found(1_000)], seenAt: at }
    notifier.notify(alert, [found(1_000)], at, unfinished)
    await notifier.flush()
    notifier.setUnfinished(unfinished)
    await notifier.flush()
    expect(JSON.stringify(bodies)).toContain('xxx')
    expect(saved.length).toBeGreaterThan(1)
    expect(JSON.stringify(saved)).not.toContain('xxx')
  })

  test('count as much as they are large, and beyond what may wait they are left out', async () => {
    const taken: number[] = []
    const { alert, notifier, bodies, clock } = setUp({ budget: { take: async (_id, rows) => void taken.push(rows) } })
    notifier.notify(
      alert,
      Array.from({ length: 10 }, () => found(500_000)),
      at,
    )
    await clock.advance(0)
    await notifier.flush()
    const sizes = bodies.map(({ data }) => JSON.stringify(data).length)
    expect(sizes.filter((size) => size > 500_000)).toHaveLength(8)
    expect(sizes).toHaveLength(10)
    expect(taken[0]).toBeGreaterThanOrEqual(800)
  })

  test('that are unfinished are kept as rarely as the budget lets them', async () => {
    const progressBudget = createClosedBudget()
    const { alert, notifier, saved, clock } = setUp({ progressBudget })
    for (let index = 0; index < 5; index++) {
      notifier.setUnfinished({ alert, events: [found(index)], seenAt: at })
      await clock.advance(1_000)
    }
    expect(saved).toHaveLength(0)
    progressBudget.letThrough()
    await clock.advance(1_000)
    expect(saved).toHaveLength(1)
  })
})
