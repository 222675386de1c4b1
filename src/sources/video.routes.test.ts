import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, MASTER_KEY, type TestApp } from '../../test/support/app.ts'
import { until } from '../../test/support/until.ts'

let app: TestApp
beforeAll(async () => void (app = await createTestApp()))
afterAll(() => app.remove())

const FORM = 'multipart/form-data; boundary=b'
const part = (name: string, content: string, head = '') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${head}\r\n\r\n${content}\r\n`
const file = (name = 'file') => part(name, 'no video', '; filename="a.mp4"')
const json = (name: string, content: string) => part(name, content, '\r\ncontent-type: application/json')
const send = (path: string, type: string, ...parts: string[]) =>
  app.call('POST', path, { body: `${parts.join('')}--b--\r\n`, headers: { 'content-type': type } })

test.each([
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""; charset=utf-8',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
])('a form with the type %s is refused with the advice to leave that to the client', async (type) => {
  const { status, body } = await send('/video', type, file())
  expect([status, body.code]).toEqual([400, 'request-malformed'])
  expect(body.detail).toMatch(/boundary.*Leave the content type to your client/)
})

test.each<[string, string[], string, RegExp]>([
  ['two files', [file(), file()], 'body', /^One file is taken, in the field `file`/],
  ['a file of another name', [file('video')], 'body.video', /^One file is taken, in the field `file`/],
  ['a file’s name instead of a file', [part('file', 'flight.mp4')], 'body.file', /send the file itself, as `curl/],
  ['no file', [part('alias', 'x')], 'body.file', /missing/],
  ['five fields', [1, 2, 3, 4, 5].map((n) => part(`x${n}`, 'x')), 'body', /^There are too many fields; there may be/],
  ['a field of an object’s own', [part('toString', 'x')], 'body', /^One of the fields has a name that is not accepted/],
  ['an unknown field', [file(), part('aliass', 'x')], 'body.aliass', /do you mean alias\?/],
  ['a long field', [file(), part('telemetry_cfg', `"${'x'.repeat(70_000)}"`)], 'body.telemetry_cfg', /at most 65536/],
  ['broken JSON', [file(), part('telemetry_cfg', '{type: websocket}')], 'body.telemetry_cfg', /^It is not JSON; write/],
  [
    'broken JSON that says it is',
    [file(), json('telemetry_cfg', '{')],
    'body',
    /^A field of the type application\/json/,
  ],
  ['JSON that is no object', [file(), part('telemetry_cfg', '"x"')], 'body.telemetry_cfg', /^Give an object, not text/],
  [
    'JSON that says it is',
    [file(), json('telemetry_cfg', '{"type":"websocket","x":1}')],
    'body.telemetry_cfg.x',
    /no such field/,
  ],
])('%s: said in a sentence', async (_name, parts, path, message) => {
  const { status, body } = await send('/video', FORM, ...parts)
  expect([status, body.code]).toEqual([422, 'input-invalid'])
  expect(body.errors).toEqual([{ path, message: expect.stringMatching(message) }])
})

test('what is wrong with several fields is said at once', async () => {
  const { body } = await send('/video', FORM, part('telemetry_cfg', '{'), part('alias', ''))
  expect(body.errors.map((error: { path: string }) => error.path).sort()).toEqual([
    'body.alias',
    'body.file',
    'body.telemetry_cfg',
  ])
})

test('a form that ends too early is to be sent again', async () => {
  for (const cut of [part('alias', 'x'), file(), part('alias', 'x').slice(0, 40)]) {
    const answer = await app.call('POST', '/video', { body: cut, headers: { 'content-type': FORM } })
    expect(answer.body).toMatchObject({ status: 422, code: 'upload-incomplete' })
  }
})

test('a form of more parts than anybody sends is refused, also where it ends too early', async () => {
  const nameless = '--b\r\n\r\nx\r\n'.repeat(20)
  const answer = await app.call('POST', '/video', {
    body: `${nameless}--b\r\n\r\nx`,
    headers: { 'content-type': FORM },
  })
  expect(answer.body).toMatchObject({ status: 422, code: 'upload-incomplete' })
  const { body } = await send('/video', FORM, nameless)
  expect(body.errors).toEqual([{ path: 'body.file', message: expect.stringMatching(/missing/) }])
})

test.each([
  ['a form in its file', '/video', FORM, file()],
  ['a form in a field', '/video', FORM, part('alias', 'x')],
  ['a form before its first field', '/video', FORM, ''],
  ['JSON', '/stream', 'application/json', '{"alias":'],
])('a client that leaves in the middle of %s is no error of ours', async (_name, path, type, begun) => {
  if (!app.http.server.listening) await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  const before = app.logLines.length
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\napi_key: ${MASTER_KEY}\r\ncontent-type: ${type}`
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(`${head}\r\ncontent-length: 100000\r\n\r\n${begun.slice(0, -12)}`)
  const linesOf = () => app.logLines.slice(before).map((line) => JSON.parse(line) as { level: number; msg: string })
  await once(app.http.server, 'request')
  await setTimeout(100)
  socket.resetAndDestroy()
  await until(async () => linesOf().some(({ msg }) => msg.startsWith('request')))
  expect(linesOf()).toEqual([expect.objectContaining({ level: 30, msg: 'request cut off', path })])
})

test('a client that sends nothing learns what to send', async () => {
  const { status, body } = await app.call('POST', '/video')
  expect([status, body.code]).toEqual([415, 'media-type-unsupported'])
  expect(body.detail).toMatch(/^This endpoint does not take a request without a body; send multipart\/form-data/)
})

test('other endpoints take no forms', async () => {
  const source = '019a8c6e-0f3b-7c52-9d1e-5b7a4c2f8e10'
  for (const path of ['/stream', '/stream/probe', `/source/${source}/token`, '/keys']) {
    const { status, body } = await send(path, FORM, part('alias', 'x'))
    expect([status, body.code]).toEqual([415, 'media-type-unsupported'])
    expect(body.detail).toBe('This endpoint does not take multipart/form-data; send application/json.')
  }
})
