import { readFileSync } from 'node:fs'
import { type OpenAPIV3_1 } from 'openapi-types'
import { mutateJson } from '../mutate-json.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutateText } from '../mutate-text.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'
import { offerText } from './offer-text.ts'
import { exampleOf, UUID } from './schema-example.ts'

/** Stands for a key that may do everything. */
export const KEY = '@key@'

const MAX_BYTES = 256 * 1024

interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly OpenAPIV3_1.ParameterObject[]
  readonly body: OpenAPIV3_1.SchemaObject | undefined
}

/** All that the documents know, and what they leave out: pages, and what is read without a key. */
const OPERATIONS: readonly Operation[] = [...documentedOperations(), ...otherOperations()]

/** One connection: a request that is valid but for a few things, or several of them one behind the other. */
export function httpRequests(random: Random): Buffer {
  const requests = Array.from({ length: random.oneIn(4) ? 1 + random.below(5) : 1 }, () => httpRequest(random))
  const connection = Buffer.concat(mutateOrder(requests, random))
  return (random.oneIn(10) ? mutate(connection, random) : connection).subarray(0, MAX_BYTES)
}

function httpRequest(random: Random): Buffer {
  const operation = random.pick(OPERATIONS)
  const { headers, body } = bodyOf(operation, random)
  const lines = [`${operation.method} ${urlOf(operation, random)} HTTP/1.1`, 'Host: 127.0.0.1']
  if (!random.oneIn(20)) lines.push(`api_key: ${KEY}`)
  const head = `${[...lines, ...headers].join('\r\n')}\r\n\r\n`
  return Buffer.concat([Buffer.from(random.oneIn(3) ? mutateText(head, random) : head, 'latin1'), body])
}

function urlOf({ path, parameters }: Operation, random: Random): string {
  const url = path.replace(/\{([^}]+)\}/g, (_, name: string) => pathValue(name, random))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || random.oneIn(2)))
    .map(({ name, schema }) => {
      const value = exampleOf(schema as OpenAPIV3_1.SchemaObject, random, name)
      return `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`
    })
  const whole = query.length > 0 ? `${url}?${query.join('&')}` : url
  return random.oneIn(3) ? mutateText(whole, random).replace(/\s/g, '%20') : whole
}

function pathValue(name: string, random: Random): string {
  if (name === 'username') return random.pick(['child', 'nobody'])
  if (name === '*') return random.pick(['admin/cam', 'admin/cam/index.m3u8', 'admin/cam/whep', '../../etc/passwd'])
  return name === 'file' ? random.pick(['a.mp4', '..%2f..%2fa.mp4', '1.csv']) : UUID
}

function bodyOf({ method, path, body }: Operation, random: Random): { headers: string[]; body: Buffer } {
  if (path === '/video') return videoForm(random)
  if (path.startsWith('/webrtc') && method === 'POST') return offer(random)
  if (!body) return { headers: [], body: Buffer.alloc(0) }
  const content = mutateJson(exampleOf(body, random), random)
  const type = random.oneIn(20) ? random.pick(['text/plain', 'application/xml', '', 'x']) : 'application/json'
  if (random.oneIn(6)) return chunked(type, content, random)
  const length = random.oneIn(20) ? random.pick([0, 1, content.length + 1, 2 ** 31]) : content.length
  return { headers: [`Content-Type: ${type}`, `Content-Length: ${length}`], body: content }
}

/** RFC 9112 §7.1, with sizes that may be wrong. */
function chunked(type: string, content: Buffer, random: Random): { headers: string[]; body: Buffer } {
  const half = content.length >> 1
  const parts = [content.subarray(0, half), content.subarray(half)].flatMap((part) => {
    const size = random.oneIn(10) ? random.pick(['0', 'ffffffffffff', '-1', '', 'g']) : part.length.toString(16)
    return [Buffer.from(`${size}\r\n`), part, Buffer.from('\r\n')]
  })
  const body = Buffer.concat([...mutateOrder(parts, random), Buffer.from('0\r\n\r\n')])
  return { headers: [`Content-Type: ${type}`, 'Transfer-Encoding: chunked'], body }
}

function videoForm(random: Random): { headers: string[]; body: Buffer } {
  const file = `Content-Disposition: form-data; name="file"; filename="a.${random.pick(['mp4', 'avi', 'exe'])}"`
  const text = [
    '--limit\r\nContent-Disposition: form-data; name="alias"\r\n\r\nflight\r\n',
    '--limit\r\nContent-Disposition: form-data; name="telemetry_cfg"\r\n\r\n{"type":"websocket"}\r\n',
    `--limit\r\n${file}\r\nContent-Type: video/mp4\r\n\r\nno video\r\n`,
    '--limit--\r\n',
  ]
  const body = Buffer.from(mutateText(mutateOrder(text, random).join(''), random), 'latin1')
  return { headers: ['Content-Type: multipart/form-data; boundary=limit', `Content-Length: ${body.length}`], body }
}

function offer(random: Random): { headers: string[]; body: Buffer } {
  const body = Buffer.from(offerText(random, random.pick(['recvonly', 'sendonly'])), 'utf8')
  return { headers: ['Content-Type: application/sdp', `Content-Length: ${body.length}`], body }
}

function documentedOperations(): Operation[] {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIV3_1.Document
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OpenAPIV3_1.OperationObject>).map(([method, operation]) => {
      const { content } = (operation.requestBody ?? {}) as Partial<OpenAPIV3_1.RequestBodyObject>
      return {
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[],
        body: content?.['application/json']?.schema,
      }
    }),
  )
}

function otherOperations(): Operation[] {
  const pages = [
    '/',
    '/docs',
    '/errors',
    '/healthz',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/asyncapi.json',
    '/assets/x.js',
  ]
  const webrtc = ['POST', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => ({ method, path: '/webrtc/{*}' }))
  const others = [...pages.map((path) => ({ method: 'GET', path })), ...webrtc, { method: 'TRACE', path: '/' }]
  return others.map((other) => ({ ...other, parameters: [], body: undefined }))
}
