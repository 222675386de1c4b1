/**
 * A viewer that was given a right on one source tries every operation of the OpenAPI document with what belongs to its owner: before it was
 * given any, with each right alone, and after they were taken. New operations are tried as they come.
 */
import { randomUUID } from 'node:crypto'
import { type OpenAPIV3_1 } from 'openapi-types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { statusOfHandshake } from '../support/detection-socket.ts'

interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly queries: readonly string[]
}

type Right = 'watch' | 'events' | 'control'

/** What each right opens; all else is refused, or is about the caller's own. */
const OPENED: Readonly<Record<string, readonly Right[]>> = {
  'GET /source/{source_id}': ['watch', 'events', 'control'],
  'GET /source/{source_uuid}/timeline': ['watch', 'events'],
  'GET /source/{source_uuid}/detections': ['events'],
  'POST /start': ['control'],
  'GET /process/{process_uuid}': ['events'],
  'GET /process/{process_uuid}/events': ['events'],
  'GET /process/{process_uuid}/detection_data': ['events'],
  'GET /processes/events': ['events'],
  'GET /process/{process_uuid}/tracks': ['events'],
  'POST /process/{process_uuid}/tracks': ['events'],
  'GET /process/{process_uuid}/tracks/{track_id}/picture.jpg': ['events'],
  'GET /process/{process_uuid}/feed': ['watch'],
  'POST /process/{process_uuid}/pause': ['control'],
  'POST /process/{process_uuid}/resume': ['control'],
  'POST /process/{process_uuid}/stop': ['control'],
  'DELETE /process/{process_uuid}': ['control'],
  'POST /clip': ['watch'],
}
/** In these the caller's own list also has what it was given. */
const LISTS: Readonly<Record<string, readonly Right[]>> = {
  'GET /sources': ['watch', 'events', 'control'],
  'GET /processes': ['events'],
  'GET /tracks': ['events'],
  'GET /alert_events': ['events'],
}
/** They make something of the caller's own, or end its own session; what they name is nobody's. */
const OWN = /^(POST \/(video|stream|stream\/probe|output|keys|alert|contact|session|session\/code)|DELETE \/session)$/
const REFUSALS = [
  'right-missing',
  'master-key-required',
  'first-master-required',
  'source-not-found',
  'process-not-found',
  'report-not-found',
  'track-not-found',
  'output-not-found',
  'alert-not-found',
  'alert-event-not-found',
  'clip-not-found',
  'key-not-found',
]

/** Of a process that has seen nothing. */
const NOTHING_YET = ['report-not-found', 'track-not-found']

const BODIES: Readonly<Record<string, (ids: Ids) => object>> = {
  'PATCH /keys/{username}': () => ({ max_sources: 1 }),
  'PUT /keys/{username}/sources/{source_uuid}': () => ({ rights: ['watch', 'events', 'control'] }),
  'POST /subscription/allocate': () => ({ username: 'bob', minutes: 1 }),
  'PATCH /source/{source_id}': () => ({ alias: 'mine now' }),
  'POST /source/{source_id}/token': () => ({ action: 'read' }),
  'POST /subscribe/{process_uuid}': () => ({ notification_url: 'http://203.0.113.9/', event_type: 'new-tracks' }),
  'POST /alert/{process_uuid}': () => alert('mine'),
  'PATCH /alert/{alert_uuid}': () => ({ alias: 'mine now' }),
  'POST /clip': ({ source_uuid }) => {
    const at = (ago: number) => new Date(Date.now() - ago).toISOString()
    return { source_uuid, from: at(60_000), to: at(50_000) }
  },
}
const QUERIES: Readonly<Record<string, string>> = {
  'DELETE /subscriptions/{process_uuid}': 'all=true',
  'GET /evidence': `clip_uuid=${randomUUID()}`,
}

const alert = (alias: string) => ({
  alias,
  type: 'filter-search',
  trigger: {},
  output: [{ type: 'webhook', config: { url: 'http://203.0.113.9/' } }],
})

type Ids = Readonly<Record<string, string>>

let service: AttackedService
let operations: readonly Operation[]
let ids: Ids
let processId: string

beforeAll(async () => {
  service = await startAttacked()
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIV3_1.Document
  operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OpenAPIV3_1.OperationObject>)
      // Without a key they are for everybody, or by a token that is judged by itself.
      .filter(([, { security }]) => security?.length !== 0)
      .map(([verb, { parameters = [] }]) => {
        const queries = (parameters as OpenAPIV3_1.ParameterObject[]).filter((one) => one.in === 'query')
        const method = verb.toUpperCase()
        return { name: `${method} ${path}`, method, path, queries: queries.map(({ name }) => name) }
      }),
  )
  const as = async (path: string, body: object) => {
    const answer = await service.call('POST', path, { key: service.bob, body })
    expect(answer.status, await answer.clone().text()).toBe(201)
    return (await answer.json()) as Record<string, string>
  }
  const source = await as('/stream', {
    alias: 'the gate of bob',
    input_url: `rtsp://localhost:${String(service.ready['rtsp_port'])}/bob/gate`,
    stream_type: 'rtsp',
  })
  const output = await as('/output', { alias: 'the screen of bob', type: 'rtsp', url: 'rtsp://screen' })
  const { uuid: alertId } = await as('/alert', alert('the fence of bob'))
  const { token_uuid } = await as(`/source/${source['source_uuid']!}/token`, { action: 'read' })
  ids = {
    source_id: source['source_uuid']!,
    source_uuid: source['source_uuid']!,
    output_uuid: output['output_uuid']!,
    alert_uuid: alertId!,
    token_uuid: token_uuid!,
    username: 'bob',
  }
})
afterAll(() => service.installation.remove())

/** It waits for video that does not come. */
async function startAsBob(): Promise<void> {
  await service.call('DELETE', '/processes', { key: service.bob })
  const path = `/start?when=live&source_uuid=${ids['source_uuid']!}`
  processId = ((await (await service.call('POST', path, { key: service.bob })).json()) as { process_uuid: string })
    .process_uuid
}

const give = async (rights: readonly Right[]) =>
  (await service.call('PUT', `/keys/mallory/sources/${ids['source_uuid']!}`, { body: { rights } })).status

/** What bob has, as it may not be changed by others. */
async function bobsThings(): Promise<unknown[]> {
  const paths = ['/sources', '/outputs', '/alerts', '/active/alerts', '/processes?state=live']
  const kept = new Set(['source_uuid', 'output_uuid', 'uuid', 'process_uuid', 'alias', 'input_url', 'state', 'status'])
  return Promise.all(
    [...paths, `/source/${ids['source_uuid']!}/tokens`, `/subscriptions/${processId}`].map(async (path) => {
      const things = (await (await service.call('GET', path, { key: service.bob })).json()) as Record<string, unknown>[]
      return things.map((thing) => Object.fromEntries(Object.entries(thing).filter(([name]) => kept.has(name))))
    }),
  )
}

function addressOf({ name, path, queries }: Operation): string {
  const known: Ids = { ...ids, process_uuid: processId, process_uuids: processId }
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_all, param: string) => known[param] ?? (param === 'track_id' ? '1' : randomUUID()),
  )
  const named = queries.flatMap((query) =>
    query === 'username' || !(query in known) ? [] : `${query}=${known[query]!}`,
  )
  const search = [...named, ...(QUERIES[name] === undefined ? [] : [QUERIES[name]])].join('&')
  return search === '' ? filled : `${filled}?${search}`
}

interface Outcome {
  readonly status: number
  readonly code: string | undefined
  readonly text: string
}

async function attempt(operation: Operation, suffix = ''): Promise<Outcome> {
  const address = `${addressOf(operation)}${suffix}`
  if (/\/(detection_data|drone_data|telemetry)/.test(address)) return shakeHands(address)
  const body = BODIES[operation.name]?.({ ...ids, process_uuid: processId })
  const leaving = new AbortController()
  const response = await fetch(`${service.url}${address}`, {
    method: operation.method,
    headers: { api_key: service.mallory, ...(body && { 'content-type': 'application/json' }) },
    signal: leaving.signal,
    ...(body && { body: JSON.stringify(body) }),
  })
  const { status } = response
  const isEndless = /event-stream|multipart/.test(response.headers.get('content-type') ?? '')
  const text = isEndless ? '' : await response.text()
  leaving.abort()
  const isProblem = response.headers.get('content-type')?.includes('problem+json')
  return { status, code: isProblem ? (JSON.parse(text) as { code: string }).code : undefined, text }
}

async function shakeHands(address: string): Promise<Outcome> {
  const url = `${service.url.replace('http', 'ws')}${address}${address.includes('?') ? '&' : '?'}api_key=${service.mallory}`
  const status = await statusOfHandshake(url)
  return { status, code: { 403: 'right-missing', 404: 'process-not-found' }[status], text: '' }
}

const namesBobs = ({ path, queries, name }: Operation) =>
  /\{(source_id|source_uuid|process_uuid|output_uuid|alert_uuid|username)\}/.test(path) ||
  queries.some((query) => /^(source_uuid|process_uuids?)$/.test(query)) ||
  name in BODIES

/** Of what is bob's: nothing of it may be in an answer that is no refusal. */
const traces = () => [...Object.values(ids).filter((id) => id !== 'bob'), processId, 'of bob', '/bob/']

function expectKeptOut({ name }: Operation, { status, code, text }: Outcome): void {
  const what = `${name}: ${status} ${text.slice(0, 400)}`
  if (status >= 400) return expect(REFUSALS, what).toContain(code)
  for (const trace of traces()) expect(text, what).not.toContain(trace)
}

const tried = () => operations.filter((operation) => !OWN.test(operation.name))

/** Without changing anything that is bob's. */
async function expectOpened(rights: readonly Right[]): Promise<void> {
  const before = await bobsThings()
  const isOpened = ({ name }: Operation) => OPENED[name]?.some((right) => rights.includes(right)) === true
  for (const operation of tried().filter((one) => !isOpened(one) && namesBobs(one))) {
    const inLists = LISTS[operation.name]?.some((right) => rights.includes(right)) === true
    const outcome = await attempt(operation)
    if (inLists) expect([operation.name, outcome.status]).toEqual([operation.name, 200])
    else expectKeptOut(operation, outcome)
  }
  expect(await bobsThings()).toEqual(before)
  for (const operation of tried().filter(isOpened)) {
    const { status, code, text } = await attempt(operation)
    const what = `${operation.name}: ${status} ${text.slice(0, 400)}`
    if (code !== undefined && !NOTHING_YET.includes(code)) expect(REFUSALS, what).not.toContain(code)
    // Where the camera is, is its owner's business.
    expect(text, what).not.toContain('rtsp://localhost')
  }
}

test('a key that was given nothing gets nothing', async () => {
  await startAsBob()
  await expectOpened([])
  for (const operation of tried().filter(({ method, path }) => method === 'GET' && !path.includes('{')))
    expectKeptOut(operation, await attempt(operation))
})

test.each([['watch'], ['events'], ['control']] as const)(
  'the right %s opens what is its own, and nothing else',
  async (right) => {
    await startAsBob()
    expect(await give([right])).toBeOneOf([200, 201])
    await expectOpened([right])
  },
)

test('with all of them a viewer still changes and removes nothing, and is no master', async () => {
  await startAsBob()
  await give(['watch', 'events', 'control'])
  await expectOpened(['watch', 'events', 'control'])
  const named = tried().filter(({ queries }) => queries.includes('username'))
  expect(named.length).toBeGreaterThan(10)
  for (const operation of named) {
    const suffix = `${addressOf(operation).includes('?') ? '&' : '?'}username=bob`
    const { status, code } = await attempt(operation, suffix)
    expect(status, operation.name).toBeOneOf([403, 404])
    expect(REFUSALS, operation.name).toContain(code)
  }
})

test('when they are taken all of it is closed at once', async () => {
  await startAsBob()
  await give(['watch', 'events', 'control'])
  expect((await service.call('GET', `/process/${processId}`, { key: service.mallory })).status).toBe(200)
  const taken = await service.call('DELETE', `/keys/mallory/sources/${ids['source_uuid']!}`)
  expect(await taken.json()).toEqual({ username: 'mallory', source_uuid: ids['source_uuid'], deleted: true })
  await expectOpened([])
})
