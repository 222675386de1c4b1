import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createFakeExchanges } from '../../test/builders/fake-exchanges.ts'
import { createCodesOfNodes } from './codes-of-nodes.ts'
import { createSignInCodes } from './sign-in-codes.ts'

const NODES = ['a', 'north.example']

function createRig() {
  const exchanges = createFakeExchanges()
  const [a, north] = NODES.map((nodeId) =>
    createCodesOfNodes(createSignInCodes(createFakeClock()), nodeId, {
      exchange: exchanges.of(nodeId),
      isKnown: (other) => NODES.includes(other),
    }),
  )
  return { exchanges, a: a!, north: north! }
}

test('a code signs in at any node, and once at all of them', async () => {
  const { a, north } = createRig()
  const [first, second] = [north.issue('hash of a key').code, north.issue('hash of a key').code]
  expect(await a.take(first)).toBe('hash of a key')
  expect([await a.take(first), await north.take(first)]).toEqual([undefined, undefined])
  expect(await north.take(second)).toBe('hash of a key')
  expect(await a.take(second)).toBeUndefined()
})

test.each(['', 'made-up', 'made-up.a', 'made-up.north.example', 'made-up.nowhere', '.a', '...'])(
  'the code %j of nobody signs nobody in',
  async (code) => {
    const { a } = createRig()
    a.issue('hash of a key')
    expect(await a.take(code)).toBeUndefined()
  },
)

test('where its node does not answer, that is said, and the code stays', async () => {
  const { exchanges, a, north } = createRig()
  const { code } = north.issue('hash of a key')
  exchanges.isAway = true
  await expect(a.take(code)).rejects.toMatchObject({ code: 'node-unreachable' })
  exchanges.isAway = false
  expect(await a.take(code)).toBe('hash of a key')
})
