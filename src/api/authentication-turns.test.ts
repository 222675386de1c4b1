import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createKnownCredentials } from '../core/known-credentials.ts'
import { createAuthenticationTurns } from './authentication-turns.ts'

function setUp() {
  const known = createKnownCredentials()
  const turns = createAuthenticationTurns(known)
  let guesses = 0
  const guess = (times: number, connection: string) => {
    for (let i = 0; i < times; i++)
      void turns.wait(`ak_${connection}_${i}`, '192.0.2.1', connection).then(() => (guesses += 1))
  }
  return { known, turns, guess, guessed: () => guesses }
}

test('who is known does not wait for a thousand guesses from the same address', async () => {
  const { known, turns, guess, guessed } = setUp()
  known.add('ak_bob', 'bob')
  guess(1_000, 'a')
  await turns.wait('ak_bob', '192.0.2.1', 'b')
  expect(guessed()).toBeLessThan(3)
  await nextTurn()
  await turns.wait('ak_new', '192.0.2.2', 'c')
  expect(guessed()).toBeLessThan(5)
})

test('who shows a key for the first time waits for one guess of each connection, not for all of them', async () => {
  const { turns, guess, guessed } = setUp()
  for (const connection of ['a', 'b', 'c']) guess(1_000, connection)
  await turns.wait('ak_bob', '192.0.2.1', 'd')
  expect(guessed()).toBeLessThan(6)
})

test('many credentials of one owner are no more than one owner', async () => {
  const { known, turns } = setUp()
  for (const credential of ['a', 'b', 'c']) known.add(credential, 'mallory')
  known.add('k', 'bob')
  const begun: string[] = []
  for (const credential of ['a', 'b', 'c', 'a', 'k'])
    void turns.wait(credential, '192.0.2.1', '').then(() => begun.push(credential))
  await Promise.resolve()
  expect(begun).toEqual(['a', 'k'])
})
