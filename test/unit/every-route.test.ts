/**
 * Walks every operation of the OpenAPI document with generated bad input. New routes are covered as they come:
 * whatever is sent, the answer is one of ours, in the promised shape, and never an internal error.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { type OpenAPIV3_1 } from 'openapi-types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, createTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
let operations: { method: string; path: string; operation: OpenAPIV3_1.OperationObject }[]

beforeAll(async () => {
  app = await createTestApp()
  const { body } = await app.call('GET', '/openapi.json')
  const document = body as OpenAPIV3_1.Document
  operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OpenAPIV3_1.OperationObject>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
})
afterAll(() => app.remove())

function expectProperAnswer({ status, body, headers, text }: Answer, what: string): void {
  expect(status, `${what}\n${text}`).toBeLessThan(500)
  if (status < 400) return
  expect(String(headers['content-type']), what).toContain('application/problem+json')
  expect(body, what).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    code: expect.any(String),
  })
  expect(text, what).not.toMatch(/\bat .*\.(ts|js):\d+/)
}

const nasty = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    'null',
    '..',
    '%00',
    "' or 1=1 --",
    '<script>',
    'not-a-uuid',
    '00000000-0000-4000-8000-000000000000',
    'é'.repeat(50),
    'x'.repeat(250),
  ),
  fc.string(),
)

/** A value that may be close to what the schema wants, or anything. */
function nearly(schema: OpenAPIV3_1.SchemaObject | undefined): fc.Arbitrary<unknown> {
  const anything = fc.jsonValue()
  if (!schema?.properties) return anything
  const fields = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      fc.oneof(anything, plausible(property as OpenAPIV3_1.SchemaObject)),
    ]),
  )
  return fc.oneof(anything, fc.record(fields, { requiredKeys: [] }))
}

function plausible(schema: OpenAPIV3_1.SchemaObject): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]))
  switch (schema.type) {
    case 'string':
      return fc.oneof(nasty, fc.constantFrom('abc', 'rtsp://127.0.0.1:9/x', '2030-01-01'))
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 2 ** 53, 1e308))
    case 'boolean':
      return fc.boolean()
    case 'object':
      return nearly(schema)
    default:
      return fc.jsonValue()
  }
}

test('bad input never gets an internal error', async () => {
  for (const { method, path, operation } of operations) {
    const content = (operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content
    const schema = content?.['application/json']?.schema
    const parameters = (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]
    const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)

    const input = fc.record({
      segments: fc.array(nasty, { minLength: 4, maxLength: 4 }),
      query: fc.dictionary(fc.constantFrom(...inQuery, 'unknown'), nasty, { maxKeys: 3 }),
      body: nearly(schema),
    })
    await fc.assert(
      fc.asyncProperty(input, async ({ segments, query, body }) => {
        // Answers come within one turn of the loop, and the runner has to be heard meanwhile.
        await nextTurn()
        let used = 0
        const url = path.replace(/\{\w+\}/g, () => encodeURIComponent(segments[used++]! || 'x'))
        const search = new URLSearchParams(query).toString()
        const answer = await app.call(
          method,
          search ? `${url}?${search}` : url,
          method === 'GET' ? {} : { body: JSON.stringify(body) },
        )
        expectProperAnswer(answer, `${method} ${url}?${search} ${JSON.stringify(body)}`)
      }),
      { numRuns: 30 },
    )
  }
}, 120_000)

test('everything that is not public refuses a caller without a key', async () => {
  for (const { method, path, operation } of operations) {
    if (operation.security?.length === 0) continue
    const answer = await app.call(method, path.replace(/\{\w+\}/g, 'x'), { key: '' })
    expect(answer.body, `${method} ${path}`).toMatchObject({ status: 403, code: 'api-key-missing' })
  }
})
