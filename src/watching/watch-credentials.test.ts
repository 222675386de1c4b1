import { expect, test } from 'vitest'
import { credentialsOf } from './watch-credentials.ts'

const none = { method: 'GET', baseUrl: 'http://here', headers: {}, query: {} }
test.each([
  ['the header', { ...none, headers: { api_key: 'k' } }, { key: 'k' }, false],
  ['Bearer', { ...none, headers: { authorization: 'Bearer k' } }, { key: 'k' }, false],
  ['an output’s token as Bearer', { ...none, headers: { authorization: 'Bearer ot_1' } }, { token: 'ot_1' }, false],
  ['a token as Bearer', { ...none, headers: { authorization: 'bearer tk_1' } }, { token: 'tk_1' }, false],
  ['the query', { ...none, query: { api_key: 'k' } }, { key: 'k' }, true],
  ['a token in the query', { ...none, query: { token: 't' } }, { token: 't' }, true],
  ['the header before the query', { ...none, headers: { api_key: 'k' }, query: { token: 't' } }, { key: 'k' }, false],
  ['the first of two is not guessed', { ...none, query: { token: ['a', 'b'] } }, {}, false],
  ['Basic is not for us', { ...none, headers: { authorization: 'Basic YTpi' } }, {}, false],
  ['a session', { ...none, headers: { cookie: 'aerie_session=se_1' } }, { key: 'se_1' }, false],
  ['nothing', none, {}, false],
] as const)('%s', (_name, request, credentials, isInQuery) => {
  expect(credentialsOf(request)).toEqual({ credentials, isInQuery })
})
