import { describe, expect, test } from 'vitest'
import { sealMessage } from '../sealed-message.ts'
import { encodeAccept, encodeConnect, encodeRefusal, newTunnelId, readAnswer, readConnect } from './handshake.ts'

const [ours, theirs] = [newTunnelId(), newTunnelId()]
const request = { from: 'a', to: 'b', tunnel: ours, client: { address: '203.0.113.7', isEncrypted: false } }
const connect = encodeConnect('secret', request)
const said = { v: 1, from: 'a', tunnel: ours, address: '203.0.113.7', encrypted: false }

const changed = (message: Buffer, fields: object) =>
  Buffer.from(JSON.stringify({ ...(JSON.parse(message.toString()) as object), ...fields }))

describe('a connect', () => {
  test('says who asks for whom, to the one who is asked alone', () => {
    expect(readConnect('secret', 'b', connect)).toMatchObject({ from: 'a', address: '203.0.113.7', encrypted: false })
    for (const told of ['203.0.113.7', '"a"', ours]) expect(connect.toString('latin1')).not.toContain(told)
  })

  test('of which any byte is another is no member’s, nor one that is cut off', () => {
    for (let at = 0; at < connect.length; at++) {
      const other = Buffer.from(connect)
      other[at]! ^= 1
      expect(readConnect('secret', 'b', other)).toBe('stranger')
      expect(readConnect('secret', 'b', connect.subarray(0, at))).toBe('stranger')
    }
  })

  test('of another service, for another node, or of another kind, is no member’s', () => {
    expect(readConnect('another', 'b', connect)).toBe('stranger')
    expect(readConnect('secret', 'c', connect)).toBe('stranger')
    expect(readConnect('secret', 'b', sealMessage('secret', 'aerie.v1.nodes.news', said))).toBe('stranger')
  })

  test.each([
    ['nothing', null],
    ['another version', { ...said, v: 2 }],
    ['a subject in the place of an id', { ...said, tunnel: 'aerie.v1.node.c.connec' }],
    ['a whole book as an address', { ...said, address: 'x'.repeat(10_000) }],
  ])('of a member who says %s is not understood', (_what, message) =>
    expect(readConnect('secret', 'b', sealMessage('secret', 'tunnel to b', message))).toBe('malformed'),
  )
})

describe('an answer', () => {
  test('names the other end', () =>
    expect(readAnswer('secret', ours, encodeAccept('secret', ours, theirs))).toBe(theirs))

  test.each([
    ['of another service', encodeAccept('another', ours, theirs)],
    ['to another question', encodeAccept('secret', theirs, theirs)],
    ['that was changed', changed(encodeAccept('secret', ours, theirs), { tunnel: newTunnelId() })],
    ['that is our own question', changed(encodeAccept('secret', ours, theirs), { tunnel: ours })],
  ])('%s is not believed', (_what, data) =>
    expect(() => readAnswer('secret', ours, data)).toThrow(/does not know the secret/),
  )

  test.each(['stranger', 'full', 'closed', 'malformed'] as const)('%s says why', (reason) =>
    expect(() => readAnswer('secret', ours, encodeRefusal(reason))).toThrow(/^it /),
  )

  test('that is none says so', () =>
    expect(() => readAnswer('secret', ours, Buffer.from('hello'))).toThrow(/understood/))
})
