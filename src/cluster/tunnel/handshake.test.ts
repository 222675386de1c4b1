import { describe, expect, test } from 'vitest'
import { encodeAccept, encodeConnect, encodeRefusal, newTunnelId, readAnswer, readConnect } from './handshake.ts'

const [ours, theirs] = [newTunnelId(), newTunnelId()]
const request = { from: 'a', to: 'b', tunnel: ours, client: { address: '203.0.113.7', isEncrypted: false } }
const connect = encodeConnect('secret', request)

const changed = (message: Buffer, fields: object) =>
  Buffer.from(JSON.stringify({ ...(JSON.parse(message.toString()) as object), ...fields }))

describe('a connect', () => {
  test('says who asks for whom', () => {
    expect(readConnect('secret', 'b', connect)).toMatchObject({ from: 'a', address: '203.0.113.7', encrypted: false })
  })

  test.each([{ from: 'c' }, { tunnel: theirs }, { address: '127.0.0.1' }, { encrypted: true }, { proof: '' }])(
    'with %o changed is no member’s',
    (fields) => expect(readConnect('secret', 'b', changed(connect, fields))).toBe('stranger'),
  )

  test('of another service, or for another node, is no member’s', () => {
    expect(readConnect('another', 'b', connect)).toBe('stranger')
    expect(readConnect('secret', 'c', connect)).toBe('stranger')
    expect(readConnect('secret', 'c', changed(connect, { to: 'c' }))).toBe('stranger')
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['no JSON', Buffer.from('{')],
    ['another version', changed(connect, { v: 2 })],
    ['a subject in the place of an id', changed(connect, { tunnel: 'aerie.v1.node.c.connec' })],
    ['a whole book as an address', changed(connect, { address: 'x'.repeat(10_000) })],
  ])('%s is not understood', (_what, data) => expect(readConnect('secret', 'b', data)).toBe('malformed'))

  test('cut off at any place is not understood', () => {
    for (let end = 0; end < connect.length; end++)
      expect(readConnect('secret', 'b', connect.subarray(0, end))).toBe('malformed')
  })
})

describe('an answer', () => {
  test('names the other end', () =>
    expect(readAnswer('secret', ours, encodeAccept('secret', ours, theirs))).toBe(theirs))

  test.each([
    ['of another service', encodeAccept('another', ours, theirs)],
    ['to another question', encodeAccept('secret', theirs, theirs)],
    ['that was changed', changed(encodeAccept('secret', ours, theirs), { tunnel: newTunnelId() })],
    ['that is our own question', changed(connect, { tunnel: ours })],
  ])('%s is not believed', (_what, data) =>
    expect(() => readAnswer('secret', ours, data)).toThrow(/does not know the secret/),
  )

  test.each(['stranger', 'full', 'closed', 'malformed'] as const)('%s says why', (reason) =>
    expect(() => readAnswer('secret', ours, encodeRefusal(reason))).toThrow(/^it /),
  )

  test('that is none says so', () =>
    expect(() => readAnswer('secret', ours, Buffer.from('hello'))).toThrow(/understood/))
})
