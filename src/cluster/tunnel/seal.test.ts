import { beforeEach, expect, test } from 'vitest'
import { type Frame } from './frame.ts'
import { createSeal, deriveKeys, type Seal } from './seal.ts'

let opener: Seal
let acceptor: Seal
beforeEach(() => {
  opener = createSeal(deriveKeys('secret', 'salt', 'opener'))
  acceptor = createSeal(deriveKeys('secret', 'salt', 'acceptor'))
})

const hello: Frame = { type: 'data', bytes: Buffer.from('api_key: ak_0123') }

test('both ends read what the other has sealed', () => {
  expect(acceptor.open(opener.seal(hello))).toEqual(hello)
  expect(acceptor.open(opener.seal({ type: 'end' }))).toEqual({ type: 'end' })
  expect(opener.open(acceptor.seal(hello))).toEqual(hello)
})

test('nobody else reads it, and the same frame looks different each time', () => {
  const [first, second] = [opener.seal(hello), opener.seal(hello)]
  expect(first.includes('ak_0123')).toBe(false)
  expect(first.subarray(6)).not.toEqual(second.subarray(6))
  const other = createSeal(deriveKeys('another secret', 'salt', 'acceptor'))
  expect(other.open(first)).toBeUndefined()
})

test('a frame that is missing shows with the next one', () => {
  acceptor.open(opener.seal(hello))
  opener.seal(hello)
  expect(acceptor.open(opener.seal({ type: 'alive' }))).toBe('gap')
})

test('what was here already, or comes back to its sender, counts for nothing', () => {
  const message = opener.seal(hello)
  acceptor.open(message)
  expect(acceptor.open(message)).toBeUndefined()
  expect(opener.open(message)).toBeUndefined()
})

test('what was changed or cut off at any place counts for nothing, and the frame itself still does', () => {
  const message = opener.seal(hello)
  for (let at = 0; at < message.length; at++) {
    const changed = Buffer.from(message)
    changed[at]! ^= 1
    expect(acceptor.open(changed)).toBeUndefined()
    expect(acceptor.open(message.subarray(0, at))).toBeUndefined()
  }
  expect(acceptor.open(message)).toEqual(hello)
})
