import { beforeEach, expect, test } from 'vitest'
import { anAlert } from '../../test/builders/alerts.ts'
import { unrecorded } from '../../test/builders/alert-events.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { type OutboundMessage } from '../core/outbound-message.ts'
import { createDurableNotifier } from '../delivery/durable-notifier.ts'
import { createProgressWriter } from '../delivery/progress-writer.ts'
import { createLog } from '../observe/log.ts'
import { type AlertNotifiers, createAlertNotifiers } from './alert-notifiers.ts'

const alert = anAlert()
const [P, Q] = ['p', 'q'].map((processId) => ({ processId, accountId: 'account', sourceId: 'source' })) as [Ref, Ref]
interface Ref {
  readonly processId: string
  readonly accountId: string
  readonly sourceId: string
}
const seenAt = { takenAtMs: 0 }
const ended = { event: 'ended', data: {} }

let sent: string[]
/** Nothing is taken before this is resolved. */
let ready: Promise<void>
let notifiers: AlertNotifiers
beforeEach(() => {
  sent = []
  ready = Promise.resolve()
  const clock = createFakeClock()
  async function send({ body }: OutboundMessage): Promise<void> {
    await ready
    const { event, process_uuid: processId } = JSON.parse(body) as { event: string; process_uuid: string }
    sent.push(`${event} ${processId}`)
  }
  notifiers = createAlertNotifiers({
    delivery: {
      createDurableNotifier: (source) => createDurableNotifier(source, { send, clock }),
      createProgressWriter: (options) => createProgressWriter(options, clock),
    },
    sources: { find: async () => ({ alias: 'camera', type: 'stream' as const }) },
    record: unrecorded,
    links: { urlOf: () => 'http://service/' },
    sequences: {
      reserve: async (_alert, _process, count) => count,
      addChannel: async () => {},
      saveProgress: async () => {},
    },
    clock,
    log: createLog({ level: 'silent' }),
  })
})

const restore = (process: Ref) =>
  notifiers.restore(alert.id, { process, inFlight: [], unfinished: { alert, events: [ended], seenAt } })

test('one notifier for each alert and process, until it is discarded', async () => {
  const first = notifiers.of(P, alert.id)
  expect(notifiers.of(P, alert.id)).toBe(first)
  expect(notifiers.of(Q, alert.id)).not.toBe(first)
  await notifiers.discard(P.processId, alert.id)
  expect(notifiers.of(P, alert.id)).not.toBe(first)
})

test('a process that comes back goes on with what was restored of it; the rest is flushed', async () => {
  restore(P)
  restore(Q)
  const restored = notifiers.of(P, alert.id)
  notifiers.claim(P.processId)
  await notifiers.flushUnclaimed()
  expect(sent).toContain('ended q')
  expect(notifiers.of(P, alert.id)).toBe(restored)
})

test('a process that has ended is waited for, and begins with new notifiers', async () => {
  const before = notifiers.of(P, alert.id)
  before.notify(alert, [ended], seenAt)
  await notifiers.release(P.processId)
  expect(sent).toEqual(['ended p'])
  expect(notifiers.of(P, alert.id)).not.toBe(before)
})

test('closing waits for processes that live and for those that are leaving', async () => {
  const database = createDeferred()
  ready = database.promise
  for (const process of [P, Q]) notifiers.of(process, alert.id).notify(alert, [ended], seenAt)
  const released = notifiers.release(P.processId)
  const closed = notifiers.closeAll()
  database.resolve()
  await Promise.all([released, closed])
  expect(sent.sort()).toEqual(['ended p', 'ended q'])
})
