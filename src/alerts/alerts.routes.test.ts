import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/support/app.ts'
import { NewAlert } from './alerts.schema.ts'
import { alertTypes } from './analyses/kinds.ts'

let app: TestApp
beforeEach(async () => void (app = await createTestApp()))
afterEach(() => app.remove())

const output = [{ type: 'mqtt', config: { host: '203.0.113.7', topic: 'alerts' } }]
const minimal = (type: string, change: object = {}) => ({ alias: 'yard', type, output, ...change })
const post = (body: unknown) => app.call('POST', '/alert', { body })

test.each(alertTypes)('%s needs no more than an alias and an output', async (type) => {
  const { status, body } = await post(minimal(type))
  expect(status).toBe(201)
  expect(body).toMatchObject({ type, alias: 'yard', status: 'active', region: null, filter: {}, pending: false })
  expect(body.output).toEqual([
    { type: 'mqtt', config: { host: '203.0.113.7', topic: 'alerts', qos: 1, retain: false } },
  ])
  expect((await app.call('GET', '/alerts')).body).toEqual([body])
  expect((await app.call('GET', '/active/alerts')).body).toEqual([])
})

const square = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]] // prettier-ignore
const grid = (change: object) => minimal('grid-density', change)
const flow = (change: object) => minimal('flow-control', change)
test.each<[string, unknown, string, RegExp]>([
  ['an unknown type', minimal('crowd'), 'body.type', /./],
  ['no output', minimal('grid-density', { output: [] }), 'body.output', /at least one/],
  [
    'two corners',
    grid({ region: { type: 'polygon', points: square.slice(2) } }),
    'body.region.points',
    /three corners/,
  ],
  [
    'a bow tie',
    grid({ region: { type: 'polygon', points: [square[0], square[2], square[1], square[3]] } }),
    'body.region.points',
    /crosses/,
  ],
  [
    'pixels',
    grid({
      region: {
        type: 'polygon',
        points: [
          [0, 0],
          [640, 0],
          [640, 480],
        ],
      },
    }),
    'body.region.points.1.0',
    /divide pixels/,
  ],
  [
    'longitude first',
    grid({
      region: {
        type: 'geo_polygon',
        points: [
          [120, 10],
          [121, 10],
          [121, 11],
        ],
      },
    }),
    'body.region.points.0.0',
    /comes first/,
  ],
  ['an unknown class', grid({ filter: { classes: ['person', 'persn'] } }), 'body.filter.classes.1', /GET \/models/],
  ['a wrong confidence', grid({ filter: { min_confidence: 101 } }), 'body.filter.min_confidence', /./],
  ['an unknown field', grid({ trigger: { min_cuont: 4 } }), 'body.trigger.min_cuont', /no such field/],
  ['cells twice', grid({ parameters: { rows: 4, cell_meters: 10 } }), 'body.parameters.cell_meters', /either/],
  [
    'half a line',
    flow({ parameters: { lines: [{ name: 'a', from: [0, 0] }] } }),
    'body.parameters.lines.0',
    /either from and to/,
  ],
  [
    'a mixed line',
    flow({ parameters: { lines: [{ name: 'a', from: [0, 0], geo_to: [0, 0] }] } }),
    'body.parameters.lines.0',
    /either from and to/,
  ],
  [
    'a point for a line',
    flow({ parameters: { lines: [{ name: 'a', from: [0, 0], to: [0, 0] }] } }),
    'body.parameters.lines.0',
    /begins where it ends/,
  ],
  [
    'one name twice',
    flow({
      parameters: {
        lines: [
          { name: 'a', from: [0, 0], to: [1, 0] },
          { name: 'a', from: [0, 1], to: [1, 1] },
        ],
      },
    }),
    'body.parameters.lines',
    /same name/,
  ],
  [
    'two whom to follow',
    minimal('follow-track', { parameters: { track_id: 1, select: 'first' } }),
    'body.parameters.select',
    /either/,
  ],
  [
    'no host',
    minimal('grid-density', { output: [{ type: 'mqtt', config: { host: '', topic: 't' } }] }),
    'body.output.0.config.host',
    /names no host/,
  ],
  [
    'no topic',
    minimal('grid-density', { output: [{ type: 'mqtt', config: { host: 'b', topic: '' } }] }),
    'body.output.0.config.topic',
    /topic/,
  ],
  [
    'a wildcard',
    minimal('grid-density', { output: [{ type: 'mqtt', config: { host: 'b', topic: 'a/#' } }] }),
    'body.output.0.config.topic',
    /no #/,
  ],
  [
    'a topic that is too deep',
    minimal('grid-density', { output: [{ type: 'mqtt', config: { host: 'b', topic: 'a/'.repeat(400) } }] }),
    'body.output.0.config.topic',
    /at most 100 levels/,
  ],
  [
    'a topic with a control character',
    minimal('grid-density', { output: [{ type: 'mqtt', config: { host: 'b', topic: 'x\u0001y' } }] }),
    'body.output.0.config.topic',
    /no control characters/,
  ],
  [
    'an ftp webhook',
    minimal('grid-density', { output: [{ type: 'webhook', config: { url: 'ftp://x' } }] }),
    'body.output.0.config.url',
    /http/,
  ],
])('%s is refused with what to change', async (_name, body, path, message) => {
  // prettier-ignore
  const answer = await post(body)
  expect(answer.status, answer.text).toBe(422)
  expect(answer.body.code).toBe('input-invalid')
  const errors = answer.body.errors as { path: string; message: string }[]
  expect(errors.find((error) => error.path === path)?.message, answer.text).toMatch(message)
})

test('a change replaces whole fields and leaves the others', async () => {
  const { body: made } = await post(
    grid({ trigger: { min_count: 9, for_seconds: 7 }, filter: { classes: ['person'] } }),
  )
  const patch = (body: unknown, query = '') => app.call('PATCH', `/alert/${made.uuid}${query}`, { body })
  expect((await patch({ trigger: { min_count: 4 } })).body).toMatchObject({
    trigger: { min_count: 4, for_seconds: 2 },
    filter: { classes: ['person'] },
    alias: 'yard',
    status: 'active',
    pending: false,
    process_uuid: null,
  })
  expect((await patch({ filter: {}, alias: 'gate', force: true })).body).toMatchObject({ filter: {}, alias: 'gate' })
  expect((await patch({ status: 'inactive' }, '?force=true')).body).toMatchObject({ status: 'inactive' })
  expect((await patch({ region: { type: 'polygon', points: square } })).body.region).not.toBeNull()
  expect((await patch({ region: null })).body.region).toBeNull()
  expect((await patch({})).status).toBe(200)
  expect((await app.call('GET', '/alerts')).body).toMatchObject([{ alias: 'gate', status: 'inactive' }])

  expect((await patch({ type: 'flow-control' })).body).toMatchObject({
    status: 422,
    errors: [{ path: 'body.type', message: expect.stringContaining('cannot be changed') as string }],
  })
  expect((await patch({ trigger: { window_seconds: 3 } })).body).toMatchObject({
    status: 422,
    errors: [{ path: 'body.trigger.window_seconds', message: 'There is no such field; do you mean for_seconds?' }],
  })
  expect((await patch({ filter: { classes: ['persn'] } })).body).toMatchObject({ status: 422 })
  expect((await patch({ output: [] })).body).toMatchObject({ status: 422, errors: [{ path: 'body.output' }] })
})

test('passwords are never shown, and stay when they are sent back masked', async () => {
  const config = { host: 'mqtt://u:hush@broker', topic: 't', password: 'hush' }
  const { body: made, text } = await post(grid({ output: [{ type: 'mqtt', config }] }))
  expect(text).not.toContain('hush')
  const { body, text: later } = await app.call('PATCH', `/alert/${made.uuid}`, { body: { output: made.output } })
  expect(body.output).toEqual(made.output)
  expect(later).not.toContain('hush')
  const changed = [{ type: 'mqtt', config: { ...made.output[0].config, topic: 'other' } }]
  expect((await app.call('PATCH', `/alert/${made.uuid}`, { body: { output: changed } })).body).toMatchObject({
    status: 422,
    errors: [{ path: 'body.output.0.config', message: expect.stringContaining('write the secret again') as string }],
  })
  expect(app.logLines.join()).not.toContain('hush')
})

test('a webhook’s secret is answered once, where it was made, and stays when it is sent back masked', async () => {
  const own = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const webhook = (config: object) => ({ type: 'webhook', config })
  const [fresh, given] = [webhook({ url: 'http://192.0.2.1/a' }), webhook({ url: 'http://192.0.2.1/b', secret: own })]
  const { body: made } = await post(grid({ output: [fresh, given] }))
  expect(made.output[0].config.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  expect(made.output[1].config.secret).toBe('***')
  const [listed] = (await app.call('GET', '/alerts')).body
  expect(listed.output.map(({ config }: { config: object }) => config)).toMatchObject([
    { secret: '***' },
    { secret: '***' },
  ])

  const patch = (sent: unknown[]) => app.call('PATCH', `/alert/${made.uuid}`, { body: { output: sent } })
  expect((await patch(listed.output)).body.output).toEqual(listed.output)
  const { body: replaced } = await patch([fresh])
  expect(replaced.output[0].config.secret).toMatch(/^whsec_/)
  expect(replaced.output[0].config.secret).not.toBe(made.output[0].config.secret)
  expect((await patch([webhook({ url: 'http://192.0.2.1/new', secret: '***' })])).body).toMatchObject({
    errors: [{ path: 'body.output.0.config', message: expect.stringContaining('write the secret again') as string }],
  })
  for (const secret of ['hush', 'whsec_', `whsec_${'A'.repeat(31)}`, `whsec_${'A'.repeat(90)}`, 7])
    expect((await patch([webhook({ url: 'http://192.0.2.1/', secret })])).body, String(secret)).toMatchObject({
      status: 422,
      errors: [{ path: 'body.output.0.config.secret' }],
    })
})

test('an alert names sources of its key, and says where it looks', async () => {
  const stream = async (alias: string, key?: string) => {
    const body = { alias, input_url: `rtsp://192.0.2.1/${alias}`, stream_type: 'rtsp' }
    return (await app.call('POST', '/stream', { body, ...(key && { key }) })).body.source_uuid as string
  }
  const [yard, gate] = [await stream('yard'), await stream('gate')]
  const { body: child } = await app.call('POST', '/keys', { body: { username: 'pilot', minutes: 1 } })
  const foreign = await stream('drone', child.key)
  expect((await post(minimal('grid-density', { source_uuids: [yard, foreign] }))).body).toMatchObject({
    status: 404,
    code: 'source-not-found',
  })
  const refused = [[], ['yard'], 'all', Array.from({ length: 1_001 }, () => yard)]
  for (const source_uuids of refused) expect((await post(minimal('grid-density', { source_uuids }))).status).toBe(422)

  const { body: made } = await post(minimal('grid-density', { source_uuids: [gate, yard, gate] }))
  expect(made).toMatchObject({ scope: 'sources', source_uuids: [yard, gate].sort(), process_uuid: null })
  const path = `/alert/${made.uuid}`
  expect((await app.call('DELETE', `/source/${gate}`)).status).toBe(200)
  expect((await app.call('GET', '/alerts')).body).toMatchObject([{ scope: 'sources', source_uuids: [yard] }])
  expect((await app.call('DELETE', `/source/${yard}`)).status).toBe(200)
  expect((await app.call('GET', '/alerts')).body).toMatchObject([{ scope: 'sources', source_uuids: [] }])
  expect((await app.call('PATCH', path, { body: { alias: 'x' } })).body).toMatchObject({ source_uuids: [] })
  expect((await app.call('PATCH', path, { body: { source_uuids: null } })).body).toMatchObject({
    scope: 'all',
    source_uuids: null,
  })
})

test('alerts belong to their key; a master may look at those of a child', async () => {
  const { body: child } = await app.call('POST', '/keys', { body: { username: 'pilot', minutes: 1 } })
  const { body: made } = await app.call('POST', '/alert', { key: child.key, body: minimal('grid-density') })
  const path = `/alert/${made.uuid}`
  expect((await app.call('GET', '/alerts')).body).toEqual([])
  expect((await app.call('GET', '/alerts?username=pilot')).body).toEqual([made])
  expect((await app.call('GET', '/active/alerts?username=pilot')).status).toBe(200)
  expect((await app.call('PATCH', path, { body: { alias: 'x' } })).body).toMatchObject({ code: 'alert-not-found' })
  expect((await app.call('DELETE', path)).status).toBe(404)
  expect((await app.call('DELETE', path, { key: child.key })).body).toEqual({
    uuid: made.uuid,
    alert_uuid: made.uuid,
    deleted: true,
  })
  expect((await app.call('DELETE', path, { key: child.key })).body).toMatchObject({ code: 'alert-not-found' })
})

test('an alert notifies contacts of its key, which stay as long as it names them', async () => {
  const config = { server: 'https://203.0.113.7', topic: 'yard' }
  const addContact = async (key?: string) =>
    (await app.call('POST', '/contact', { body: { alias: 'phone', type: 'ntfy', config }, key })).body.contact_uuid
  const [own, other] = [await addContact(), await addContact()]
  const { body: child } = await app.call('POST', '/keys', { body: { username: 'pilot', minutes: 1 } })
  const foreign = await addContact(child.key)
  const to = (contact_uuid: string) => ({ type: 'contact', config: { contact_uuid } })
  const { status, body: made } = await post(minimal('grid-density', { output: [...output, to(own)] }))
  expect(status).toBe(201)
  expect(made.output[1]).toEqual(to(own))

  expect((await post(minimal('grid-density', { output: [to(own), to(foreign)] }))).body).toMatchObject({
    status: 422,
    errors: [{ path: 'body.output.1.config.contact_uuid', message: expect.stringMatching(/GET \/contacts/) as string }],
  })
  const patch = (sent: unknown[]) => app.call('PATCH', `/alert/${made.uuid}`, { body: { output: sent } })
  expect((await patch([to(foreign)])).status).toBe(422)

  const remove = (id: string) => app.call('DELETE', `/contact/${id}`)
  expect((await remove(own)).body).toMatchObject({ status: 409, code: 'contact-in-use', detail: expect.stringContaining('yard') as string }) // prettier-ignore
  expect((await patch([to(other)])).body.output).toEqual([to(other)])
  expect((await remove(own)).status).toBe(200)
  expect((await remove(other)).status).toBe(409)
  expect((await app.call('DELETE', `/alert/${made.uuid}`)).status).toBe(200)
  expect((await remove(other)).status).toBe(200)
})

test('a key has a hundred alerts, fifty of them active', async () => {
  for (let index = 0; index < 50; index++) expect((await post(minimal('grid-density'))).status).toBe(201)
  expect((await post(minimal('grid-density'))).body).toMatchObject({ status: 403, code: 'active-alert-limit-reached' })
  for (let index = 0; index < 50; index++)
    expect((await post(minimal('grid-density', { status: 'inactive' }))).status).toBe(201)
  expect((await post(minimal('grid-density', { status: 'inactive' }))).body).toMatchObject({
    status: 403,
    code: 'alert-limit-reached',
  })
})

test('a one-off alert needs a process', async () => {
  const path = '/alert/00000000-0000-7000-8000-000000000000'
  expect((await app.call('POST', path, { body: minimal('grid-density') })).body).toMatchObject({
    status: 404,
    code: 'process-not-found',
  })
})

test('each type describes itself by JSON schemas that hold for its own example', async () => {
  const { body: all } = await app.call('GET', '/alert_description')
  expect(all.map(({ name }: { name: string }) => name)).toEqual([...alertTypes])
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  for (const description of all) {
    const { name, example, trigger, region, filter, parameters, output: outputs, notification } = description
    expect((await app.call('GET', `/alert_description?alert_name=${name}`)).body).toEqual(description)
    expect((await app.call('GET', `/alert_description?name=${name}`)).body).toEqual(description)
    expect(NewAlert.safeParse(example).success, name).toBe(true)
    const schemas = { trigger, region, filter, parameters, output: outputs }
    for (const [field, schema] of Object.entries(schemas))
      if (field in example) expect(ajv.validate(schema, example[field]), `${name} ${field}`).toBe(true)
    expect(() => ajv.compile(notification)).not.toThrow()
  }
  expect((await app.call('GET', '/alert_description?name=crowd')).status).toBe(422)
})
