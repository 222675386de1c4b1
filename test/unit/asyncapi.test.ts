/** The AsyncAPI document is one, by the specification's own schema, and what it promises is what is sent. */
import specs from '@asyncapi/specs'
import { Ajv } from 'ajv'
import { default as addFormats } from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notificationSubject, sceneSubject } from '../../src/cluster/subjects.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { aScene } from '../builders/process.ts'
import { newTracksNotification } from '../../src/webhooks/webhooks.messages.ts'

interface Document {
  readonly servers: Record<string, { readonly host: string; readonly variables: { port: { default: string } } }>
  readonly channels: Record<string, { readonly address: string; readonly servers: readonly { $ref: string }[] }>
  readonly components: {
    readonly messages: Record<string, { readonly payload: object; readonly headers?: { properties: object } }>
  }
}

let app: TestApp
let document: Document
beforeAll(async () => {
  app = await createTestApp()
  document = (await app.call('GET', '/asyncapi.json', { key: '' })).body as Document
})
afterAll(() => app.remove())

function createAjv(): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  return ajv
}

test('it is valid AsyncAPI 3.0', () => {
  const schema = specs.schemas['3.0.0'] as Record<string, unknown>
  // Ajv knows draft 7 already, and would not take it twice.
  const definitions = { ...(schema['definitions'] as Record<string, unknown>) }
  delete definitions['http://json-schema.org/draft-07/schema']
  const validate = createAjv().compile({ ...schema, definitions })
  expect(validate(document), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true)
})

test('it has every websocket, the events, the topics, the subjects and the webhooks', () => {
  const names = ['(account)', '(process_uuid)'] as const
  const addresses = Object.values(document.channels).map(({ address }) => address)
  for (const name of ['detection_data', 'drone_data', 'telemetry'])
    expect(addresses).toContain(`/process/{process_uuid}/${name}`)
  const availability = 'aerie/{instance_id}/availability/{connection}/{account_id}'
  for (const address of ['{notification_url}', '{topic}', '{url}', availability]) expect(addresses).toContain(address)
  expect(addresses).toContain('/process/{process_uuid}/events')
  for (const address of [sceneSubject(...names), notificationSubject(...names, '(type)')])
    expect(addresses).toContain(decodeURIComponent(address).replaceAll('(', '{').replaceAll(')', '}'))
})

test('every server has a port, and a channel names only servers that are there', () => {
  for (const { host, variables } of Object.values(document.servers)) {
    expect(host).toBe('{host}:{port}')
    expect(variables.port.default).toMatch(/^\d+$/)
  }
  for (const { servers } of Object.values(document.channels))
    for (const { $ref } of servers) expect(Object.keys(document.servers)).toContain($ref.replace('#/servers/', ''))
})

test('alerts to a webhook have the headers that are sent, and those to a broker none', () => {
  const { gridDensityPost, gridDensity } = document.components.messages
  expect(Object.keys(gridDensityPost!.headers!.properties)).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'authorization',
  ])
  expect(gridDensity!.headers).toBeUndefined()
})

test('what is sent is what it says', () => {
  const validate = createAjv().compile(document.components.messages['newTracks']!.payload)
  const scene = aScene({ ids: [1] })
  const processId = '00000000-0000-7000-8000-000000000001'
  for (const format of ['simple', 'full'] as const)
    expect(validate(newTracksNotification({ processId, scene, format }, scene.tracks)), format).toBe(true)
  expect(validate({ type: 'new-tracks' })).toBe(false)
})
