import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../../test/builders/fake-clock.ts'
import { signatureOf } from '../../delivery/webhook-signature.ts'
import { openReceiver, type Receiver } from './receiver.ts'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
let clock: FakeClock
let lines: string[]
let receiver: Receiver
beforeEach(async () => {
  clock = createFakeClock(Date.parse('2026-11-15T08:00:00Z'))
  lines = []
  receiver = await openReceiver({ port: 0, say: (line) => void lines.push(line), clock })
})
afterEach(() => receiver.close())

const post = async (url: string, body: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { method: 'POST', body, headers })).status

const person = (track_id: number) => ({ track_id, class_name: 'person' })
const alert = (...ids: number[]) => JSON.stringify({ data: { tracks: ids.map(person), more: 0 } })
const tracks = (...ids: number[]) => JSON.stringify({ detections: ids.map(person) })

function signed(body: string, { by = secret, secondsOff = 0 } = {}): Record<string, string> {
  const timestampSeconds = clock.now() / 1000 + secondsOff
  const signature = signatureOf({ id: 'one', timestampSeconds, body }, by)
  return {
    'webhook-id': 'one',
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,no ${signature}`,
  }
}

test('alerts and genuine webhooks are told in a line each', async () => {
  receiver.expectSecret(secret)
  expect(await post(receiver.alertUrl, alert(4, 5, 9))).toBe(204)
  expect(await post(receiver.webhookUrl, tracks(7), signed(tracks(7)))).toBe(204)
  expect(lines).toEqual(['alert: 3 persons found, tracks 4, 5, 9', 'webhook: new track 7, person'])
})

test.each([
  ['nobody signed', () => ({})],
  ['another secret signed', () => signed(tracks(7), { by: 'whsec_AAAA' })],
  ['was signed for another body', () => signed(tracks(8))],
  ['is older than five minutes', () => signed(tracks(7), { secondsOff: -301 })],
])('a webhook that %s is refused', async (_name, headers) => {
  receiver.expectSecret(secret)
  expect(await post(receiver.webhookUrl, tracks(7), headers())).toBe(401)
  expect(lines).toEqual([])
})

test('before its secret is known a webhook is refused, to come again', async () => {
  expect(await post(receiver.webhookUrl, tracks(7), signed(tracks(7)))).toBe(401)
})

test('of many at once one of each kind is told a second', async () => {
  for (const id of [1, 2, 3]) await post(receiver.alertUrl, alert(id))
  await clock.advance(1_000)
  await post(receiver.alertUrl, alert(4))
  expect(lines).toEqual(['alert: 1 person found, track 1', 'alert: 1 person found, track 4'])
})

test.each([
  ['is no JSON', 'alert', '{', 400],
  ['is too long', 'alert', 'x'.repeat(2 << 20), 413],
  ['goes elsewhere', 'elsewhere', '{}', 404],
])('what %s is refused', async (_name, path, body, status) => {
  expect(await post(new URL(path, receiver.alertUrl).href, body).catch(() => 413)).toBe(status)
  expect(lines).toEqual([])
})

test('the port of before is taken again, or another when it is in use', async () => {
  const port = Number(new URL(receiver.alertUrl).port)
  const other = await openReceiver({ port, say: () => {}, clock })
  expect(new URL(other.alertUrl).port).not.toBe(String(port))
  await other.close()
  await receiver.close()
  receiver = await openReceiver({ port, say: () => {}, clock })
  expect(new URL(receiver.alertUrl).port).toBe(String(port))
})
