import { type FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { credentialOf } from './authentication.ts'

const request = (rawHeaders: readonly string[], headers: object, query: object = {}) =>
  ({ raw: { rawHeaders }, headers, query }) as unknown as FastifyRequest

test('a key is read from its header before the query', () => {
  expect(credentialOf(request(['api_key', 'a'], { api_key: 'a' }, { api_key: 'b' })).key).toBe('a')
})

test.each([
  ['two headers', request(['api_key', 'a', 'Api_Key', 'b'], { api_key: 'a, b' }), /header api_key twice; send it once/],
  ['two in the query', request([], {}, { api_key: ['a', 'b'] }), /query has api_key twice; send it once/],
])('%s are not taken for a key that nobody has', (_name, given, sentence) => {
  expect(() => credentialOf(given)).toThrow(sentence)
})
