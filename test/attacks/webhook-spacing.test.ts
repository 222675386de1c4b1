/**
 * "Spaced by at least backoff_seconds", measured by the receiver: it answers slowly, fails for a while, drops connections, asks for
 * a delivery again, and the service is killed between two notifications. Nothing may come early, and nothing may be lost.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createHttpReceiver, type HttpReceiver, type ReceivedCall } from '../support/http-receiver.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

const BACKOFF_MS = 1_000
let rig: ProcessRig
let receiver: HttpReceiver
/** What came, of whichever receiver, in order; and when each was answered. */
let calls: ReceivedCall[]
let answeredAtMs: Map<ReceivedCall, number>
let processId: string
let answer: 'slowly' | 'by-500' | 'never'

beforeAll(async () => void (rig = await createProcessRig()))
afterAll(() => rig.remove())
const listen = (port?: number) =>
  createHttpReceiver((call, response) => {
    calls.push(call)
    const end = () => {
      answeredAtMs.set(call, performance.now())
      if (answer === 'never') response.destroy()
      else response.writeHead(answer === 'slowly' ? 204 : 500).end()
    }
    if (answer === 'slowly') setTimeout(end, 300)
    else end()
  }, port)

beforeEach(async () => {
  calls = []
  answeredAtMs = new Map()
  answer = 'slowly'
  receiver = await listen()
  const { sourceId } = await rig.goLive('spacing')
  processId = (await rig.start(sourceId)).process_uuid
  await rig.ask('POST', `/subscribe/${processId}`, {
    body: {
      notification_url: receiver.url,
      event_type: 'target-count',
      notifier_policy_args: { backoff_seconds: BACKOFF_MS / 1000 },
    },
  })
})
afterEach(async () => {
  await receiver.close()
  await rig.clear()
})

interface SentEvent {
  readonly previous_count: number
  readonly track_count: number
  readonly changes: readonly { readonly timestamp: string; readonly track_count: number }[]
}
const idOf = ({ headers }: ReceivedCall) => headers['webhook-id'] as string
const gapsMs = () => calls.slice(1).map(({ atMs }, index) => atMs - answeredAtMs.get(calls[index]!)!)
/** Each notification once, in the order in which it first came. */
const sentEvents = () => [...new Map(calls.map((call) => [idOf(call), JSON.parse(call.body) as SentEvent])).values()]
/** Resolves when so many more have come and are answered. */
async function more(count: number): Promise<void> {
  const wanted = calls.length + count
  await until(async () => calls.length >= wanted && answeredAtMs.size >= wanted, 60_000)
}

function expectSpacedAndWhole(): void {
  expect(Math.min(...gapsMs())).toBeGreaterThanOrEqual(BACKOFF_MS)
  const all = sentEvents()
  expect(all.slice(1).map(({ previous_count }) => previous_count)).toEqual(
    all.slice(0, -1).map(({ track_count }) => track_count),
  )
  const times = all.flatMap(({ changes }) => changes.map(({ timestamp }) => timestamp))
  expect(times).toEqual([...times].sort())
}

test('a slow receiver, one that fails for a while, and one that asks again get nothing early and lose nothing', async () => {
  await more(2)
  answer = 'never'
  await more(2)
  answer = 'by-500'
  await more(1)
  answer = 'slowly'
  const before = sentEvents().length
  await more(3)
  // What waited, and all that happened meanwhile in one.
  expect(sentEvents()[before]!.changes.length).toBeGreaterThan(1)
  await rig.ask('POST', `/subscriptions/${processId}/deliveries/${idOf(calls[0]!)}/resend`)
  await until(async () => calls.slice(1).some((call) => idOf(call) === idOf(calls[0]!)), 60_000)
  await more(1)
  expectSpacedAndWhole()
}, 240_000)

test('a receiver that was not there gets what waited and what happened meanwhile, one after the other', async () => {
  await more(2)
  const { port } = receiver
  await receiver.close()
  const path = `/subscriptions/${processId}/deliveries?state=waiting`
  const attempts = async () => (await rig.ask<{ attempts: number }[]>('GET', path)).map((one) => one.attempts)
  await until(async () => Math.max(0, ...(await attempts())) >= 3, 60_000)
  receiver = await listen(port)
  await more(4)
  expectSpacedAndWhole()
}, 240_000)

test('a service that was killed goes on without coming early', async () => {
  for (const killAfterMs of [0, 100]) {
    await more(1)
    await new Promise((resolve) => setTimeout(resolve, killAfterMs))
    await rig.service.stop('SIGKILL')
    await rig.restart()
    rig.publish('spacing')
    await more(2)
  }
  expect(Math.min(...gapsMs())).toBeGreaterThanOrEqual(BACKOFF_MS)
}, 240_000)
