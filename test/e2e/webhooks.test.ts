import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createHttpReceiver, type HttpReceiver, type ReceivedCall } from '../support/http-receiver.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
let receiver: HttpReceiver
beforeAll(async () => void (rig = await createProcessRig()))
afterEach(async () => {
  await receiver.close()
  await rig.clear()
})
afterAll(() => rig.remove())

interface Created {
  readonly subscription_uuid: string
  readonly secret: string
}

const idOf = ({ headers }: ReceivedCall) => headers['webhook-id'] as string

const subscribe = (processId: string, eventType: string, body: object = {}) =>
  rig.ask<Created>('POST', `/subscribe/${processId}`, {
    body: {
      notification_url: receiver.url,
      event_type: eventType,
      notifier_policy_args: { backoff_seconds: 0 },
      ...body,
    },
  })
test('subscriptions: signed, listed, sent again, removed, and refused where they must be', async () => {
  receiver = await createHttpReceiver()
  const { sourceId } = await rig.goLive('hooks')
  const { process_uuid: processId } = await rig.start(sourceId)
  const { secret } = await subscribe(processId, 'new-tracks')
  const [call] = await receiver.received(1, 20_000)
  const event = new Webhook(secret).verify(call!.body, call!.headers as Record<string, string>)
  expect(event).toMatchObject({
    process_uuid: processId,
    type: 'new-tracks',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{4}$/) as string,
    occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    detections: expect.arrayContaining(
      [
        {
          topLeftX: expect.any(Number),
          id: expect.any(Number),
          track_id: expect.any(Number),
          class: 1,
          class_id: 1,
        } as object,
      ].map((one) => expect.objectContaining(one) as object),
    ) as object[],
  })

  const twice = await rig.service.call('POST', `/subscribe/${processId}`, {
    body: { notification_url: receiver.url, event_type: 'new-tracks' },
  })
  expect(twice.status).toBe(409)
  const forbidden = await rig.service.call('POST', `/subscribe/${processId}`, {
    body: { notification_url: 'http://169.254.169.254/hook' },
  })
  expect(forbidden.status).toBe(422)

  await until(async () => {
    const [listed] = await rig.ask<{ last_delivery_at: string | null }[]>('GET', `/subscriptions/${processId}`)
    return listed!.last_delivery_at !== null
  }, 5_000)
  expect(JSON.stringify(await rig.ask('GET', `/subscriptions/${processId}`))).not.toContain('whsec_')
  await rig.ask('POST', `/subscriptions/${processId}/deliveries/${idOf(call!)}/resend`)
  const again = () => receiver.calls.filter((one) => idOf(one) === idOf(call!))
  await until(async () => again().length === 2, 5_000)
  expect(again()[1]!.body).toBe(call!.body)
  const removed = await rig.ask<{ subscription_uuids: string[] }>(
    'DELETE',
    `/subscriptions/${processId}?event_type=new-tracks`,
    { body: { notification_url: receiver.url } },
  )
  expect(removed.subscription_uuids).toHaveLength(1)
  expect((await rig.service.call('DELETE', `/subscriptions/${processId}?event_type=new-tracks`)).status).toBe(404)
  expect(await rig.ask('DELETE', `/subscriptions/${processId}?all=true`)).toMatchObject({ subscription_uuids: [] })
})
