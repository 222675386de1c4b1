/** Keys with and without limits, from outside: what they are told of their minutes, and when. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { listenToEvents } from '../support/event-listener.ts'
import { createHttpReceiver } from '../support/http-receiver.ts'
import { createProcessRig, type Info, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterEach(() => rig.clear())
afterAll(() => rig.remove())

interface Subscription {
  readonly remaining_minutes: number
  readonly consumed_minutes: number
  readonly pending_to_allocate: number
  readonly unlimited: boolean
  readonly lasts_minutes: number | null
  readonly minutes_low: boolean
}

const command = (...args: string[]) => rig.installation.command('keys', ...args)
const subscriptionOf = async (key = rig.installation.masterKey) =>
  (await rig.ask<{ subscription: Subscription }>('GET', '/user_info', { key })).subscription
const metrics = async () => (await rig.service.call('GET', '/metrics')).text()
/** Within five minutes. */
const about = (minutes: number) => expect.closeTo(minutes, -1) as number
const countLogged = () => rig.service.stderr().split('a key has less than a day of minutes left').length

test('the first master is unlimited: what it uses is counted, and takes nothing', async () => {
  const { sourceId } = await rig.goLive('roof')
  const { process_uuid: id } = await rig.start(sourceId)
  await until(async () => (await subscriptionOf()).consumed_minutes > 0, 20_000)
  expect(await subscriptionOf()).toMatchObject({
    remaining_minutes: 52_560_000,
    pending_to_allocate: 52_560_000,
    unlimited: true,
    lasts_minutes: null,
    minutes_low: false,
  })
  expect((await rig.ask<object[]>('GET', '/keys')).length).toBe(0)
  expect((await command('list')).stdout).toMatch(/^admin +master +unlimited +[\d.]+ +unlimited +never$/m)
  expect(await rig.info(id)).toMatchObject({ state: 'running' })

  const later = await rig.register('later')
  for (let index = 0; index < 5; index++) await rig.start(later, { when: 'live' })
  expect(await rig.ask('GET', '/processes?state=live')).toHaveLength(6)
})

test('a child of an unlimited master may be unlimited, until its master is not', async () => {
  const { key } = await rig.ask<{ key: string }>('POST', '/keys', { body: { username: 'free', minutes: null } })
  const { sourceId } = await rig.goLive('free', { username: 'free', key })
  const { process_uuid: id } = await rig.start(sourceId, {}, key)
  expect(await subscriptionOf(key)).toMatchObject({ unlimited: true, lasts_minutes: null })

  await command('update', 'admin', '--unlimited', 'false')
  const process = () => rig.ask<Info>('GET', `/process/${id}`, { key })
  await until(async () => (await process()).state === 'stopped', 20_000)
  expect(await process()).toMatchObject({ stop_reason: 'usage-limit' })
  expect(await rig.tryStart(sourceId, {}, key)).toMatchObject({ status: 403, code: 'usage-limit-reached' })
  const refused = await rig.service.call('POST', '/keys', { body: { username: 'more', minutes: null } })
  expect(await refused.json()).toMatchObject({ status: 403, code: 'unlimited-not-allowed' })
  await expect(command('grant', 'free', 'unlimited')).rejects.toThrow('keys grant MASTER unlimited')

  expect((await command('grant', 'admin', 'unlimited')).stdout).toBe('admin is unlimited.\n')
  await rig.start(sourceId, {}, key)
  await rig.ask('DELETE', '/processes', { key })
})

test('who has less than a day left is warned once: by webhook, event, metric and in its own account', async () => {
  await command('update', 'admin', '--unlimited', 'false')
  await command('grant', 'admin', '600')
  const loggedBefore = countLogged()
  const receiver = await createHttpReceiver()
  const { sourceId } = await rig.goLive('yard')
  const { process_uuid: id } = await rig.start(sourceId)
  await rig.ask('POST', `/subscribe/${id}`, {
    body: {
      notification_url: receiver.url,
      event_type: 'minutes-low',
      notifier_policy_args: { backoff_seconds: 0 },
    },
  })
  const listener = await listenToEvents(rig.service.url, id, rig.installation.masterKey)

  const [call] = await receiver.received(1, 20_000)
  const warning = {
    process_uuid: id,
    remaining_minutes: about(600),
    lasts_minutes: about(600),
    running_processes: 1,
  }
  expect(JSON.parse(call!.body)).toMatchObject({ type: 'minutes-low', ...warning })
  await until(async () => listener.warnings.length > 0, 20_000)
  expect(listener.warnings).toEqual([warning])
  expect(await subscriptionOf()).toMatchObject({ unlimited: false, minutes_low: true })
  expect(await metrics()).toMatch(/^aerie_keys_low_on_minutes 1$/m)
  expect(await metrics()).toMatch(
    new RegExp(`^aerie_process_minutes_last_seconds\\{process_uuid="${id}",alias="[^"]+"\\} 3(59\\d\\d|6000)$`, 'm'),
  )

  // Minutes that are added are news only if they are few again.
  await command('grant', 'admin', '5')
  await receiver.received(2, 20_000)
  expect(JSON.parse(receiver.calls[1]!.body)).toMatchObject({ remaining_minutes: about(605) })
  await command('grant', 'admin', '100000')
  await until(async () => (await metrics()).includes('aerie_keys_low_on_minutes 0'), 20_000)
  expect(await subscriptionOf()).toMatchObject({ minutes_low: false })
  expect(receiver.calls).toHaveLength(2)
  expect(listener.warnings).toHaveLength(2)
  expect(countLogged() - loggedBefore).toBe(2)
  await receiver.close()
})
