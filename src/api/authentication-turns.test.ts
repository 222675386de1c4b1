import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAuthenticationTurns } from './authentication-turns.ts'

test('who is known does not wait for a thousand guesses from the same address', async () => {
  const turns = createAuthenticationTurns()
  turns.know('ak_bob')
  let guesses = 0
  for (let i = 0; i < 1_000; i++) void turns.wait(`ak_${i}`, '192.0.2.1').then(() => (guesses += 1))
  await turns.wait('ak_bob', '192.0.2.1')
  expect(guesses).toBeLessThan(3)
  await nextTurn()
  await turns.wait('ak_new', '192.0.2.2')
  expect(guesses).toBeLessThan(5)
})

test('of those that are known the ones that were shown last are kept', async () => {
  const turns = createAuthenticationTurns(2)
  for (const credential of ['a', 'b', 'a', 'c']) turns.know(credential)
  const begun: string[] = []
  const ask = (credential: string) => void turns.wait(credential, '192.0.2.1').then(() => begun.push(credential))
  for (let i = 0; i < 5; i++) ask('guess')
  for (const credential of ['a', 'b', 'c']) ask(credential)
  await Promise.resolve()
  expect(begun).toEqual(['guess', 'a', 'c'])
})
