import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/support/app.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'

let app: TestApp
beforeEach(async () => void (app = await createTestApp({ AERIE_OUTBOUND_DENY: '10.0.0.0/8' })))
afterEach(() => app.remove())

const unknown = orderedUuid()
const url = 'http://127.0.0.1:9/hook'

describe('bad input', () => {
  test.each([
    { body: {}, path: 'body.notification_url' },
    { body: { notification_url: 'ftp://a/' }, path: 'body.notification_url' },
    { body: { notification_url: 'http://' }, path: 'body.notification_url' },
    { body: { notification_url: url, event_type: 'rain' }, path: 'body.event_type' },
    { body: { notification_url: url, auth_url: 'nowhere' }, path: 'body.auth_url' },
    { body: { notification_url: url, notification_format: 'xml' }, path: 'body.notification_format' },
    { body: { notification_url: url, notifier_policy_type: 'never' }, path: 'body.notifier_policy_type' },
    {
      body: { notification_url: url, notifier_policy_args: { backoff_seconds: -1 } },
      path: 'body.notifier_policy_args.backoff_seconds',
    },
    {
      body: { notification_url: url, notifier_policy_args: { backoff_seconds: 86_401 } },
      path: 'body.notifier_policy_args.backoff_seconds',
    },
  ])('$body is refused at $path', async ({ body, path }) => {
    const answer = await app.call('POST', `/subscribe/${unknown}`, { body })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'input-invalid', errors: [{ path }] })
  })

  test('an unknown process is not found, wherever it is asked for', async () => {
    for (const [method, path, body] of [
      ['POST', `/subscribe/${unknown}`, { notification_url: url }],
      ['GET', `/subscriptions/${unknown}`],
      ['DELETE', `/subscriptions/${unknown}?all=true`],
      ['GET', `/subscriptions/${unknown}/deliveries`],
      ['POST', `/subscriptions/${unknown}/deliveries/${unknown}/resend`],
    ] as const)
      expect((await app.call(method, path, { body })).body).toMatchObject({ status: 404, code: 'process-not-found' })
  })
})

test.each([
  { query: '', body: undefined, message: 'Say which' },
  { query: '?all=false', body: undefined, message: 'Say which' },
  { query: '', body: {}, message: 'Say which' },
  { query: '?all=true&event_type=new-tracks', body: undefined, message: 'removes every subscription' },
  { query: '?all=true', body: { notification_url: url }, message: 'removes every subscription' },
])('a removal by "$query" and $body does not remove all by accident', async ({ query, body, message }) => {
  const answer = await app.call('DELETE', `/subscriptions/${unknown}${query}`, { body })
  expect(answer.status).toBe(422)
  expect(answer.body).toMatchObject({
    errors: [{ path: 'query.all', message: expect.stringContaining(message) as string }],
  })
})

test('a removal by an event that there is not is refused', async () => {
  expect((await app.call('DELETE', `/subscriptions/${unknown}?event_type=rain`)).status).toBe(422)
})
