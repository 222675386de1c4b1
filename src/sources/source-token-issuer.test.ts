import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { type AccessQuestion } from '../media/messages.ts'
import { createSourceTokenIssuer } from './source-token-issuer.ts'
import { type PlacedSourceToken } from './source-tokens.store.ts'

const clock = createFakeClock()
const readToken: PlacedSourceToken = {
  id: 't',
  sourceId: 's',
  action: 'read',
  expiresAt: clock.now() + 1000,
  createdAt: 0,
  path: 'ada/cam',
  accountId: 'ada-id',
  ha1: 'ha1',
}
const sha256 = createHash('sha256').update('tk_read').digest('hex')
const issuer = createSourceTokenIssuer(
  {
    findByHash: async (hash) => (hash === sha256 ? readToken : undefined),
    listGoodFor: async (action, path, now) =>
      `${action} ${path} ${now}` === `read ada/cam ${clock.now()}` ? [readToken] : [],
  },
  clock,
)
const question = (action: 'read' | 'publish', path: string): AccessQuestion => ({
  action,
  path,
  request: { credentials: { kind: 'none' }, remoteAddress: '203.0.113.9', protocol: 'rtsp' },
})
const bearer = { principal: 'token:t', accountId: 'ada-id', ha1: 'ha1' }

describe('a token of a source', () => {
  test.each([
    ['does what it was made for', 'tk_read', 'read', 'ada/cam', bearer],
    ['does nothing else', 'tk_read', 'publish', 'ada/cam', undefined],
    ['is good for its own path alone', 'tk_read', 'read', 'ada/other', undefined],
    ['is none unless it is known', 'tk_other', 'read', 'ada/cam', undefined],
  ] as const)('%s', async (_name, token, action, path, found) => {
    expect(await issuer.find(token, question(action, path))).toEqual(found)
  })

  test('can be proven for just the same', async () => {
    expect(await issuer.listProvable!(question('read', 'ada/cam'))).toEqual([bearer])
    expect(await issuer.listProvable!(question('publish', 'ada/cam'))).toEqual([])
  })

  test('is none once it has expired', async () => {
    await clock.advance(1000)
    expect(await issuer.find('tk_read', question('read', 'ada/cam'))).toBeUndefined()
  })
})
