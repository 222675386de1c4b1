import { expect, test } from 'vitest'
import { type AccessAnswer, type AccessQuestion } from '../media/messages.ts'
import { inTurns } from './access-turns.ts'
import { createInternalTokens } from './grants.ts'
import { NO_RELAY_TOKENS } from './relay-tokens.ts'

const yes: AccessAnswer = { access: { principal: 'somebody' } }
const password = (username: string, secret = 'x') => ({ kind: 'password', username, password: secret }) as const

/** Turns last until they are answered, unless `turnMs` is short. */
function setUp(turnMs = 60_000) {
  const internalTokens = createInternalTokens()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const decide = inTurns(
    async ({ request: { credentials } }) => {
      begun.push('username' in credentials ? credentials.username : credentials.kind)
      await new Promise<void>((resolve) => ends.push(resolve))
      return yes
    },
    internalTokens,
    NO_RELAY_TOKENS,
    turnMs,
  )
  const ask = (
    credentials: AccessQuestion['request']['credentials'],
    { address = '192.0.2.1', isAgain = false } = {},
  ): Promise<AccessAnswer> =>
    decide({
      action: 'read',
      path: 'bob/cam',
      request: { credentials, remoteAddress: address, protocol: 'rtsp' },
      isAgain,
    })
  return { internalTokens, begun, ends, ask }
}

/** Long enough for everything that may begin. */
async function turns(): Promise<void> {
  for (let i = 0; i < 40; i++) await new Promise((resolve) => setImmediate(resolve))
}

test('a client that asks a hundred things has a few answered at a time, and others theirs at once', async () => {
  const { begun, ends, ask } = setUp()
  const many = Array.from({ length: 100 }, () => ask(password('mallory')))
  await turns()
  expect(begun).toHaveLength(4)
  void ask(password('bob'))
  void ask(password('bob'), { address: '192.0.2.2' })
  void ask(password('mallory'), { isAgain: true })
  await turns()
  expect(begun.slice(4).sort()).toEqual(['bob', 'bob', 'mallory'])
  const isDone = Promise.all(many)
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end()
    await turns()
  }
  expect(new Set(await isDone)).toEqual(new Set([yes]))
})

test('a right password does not wait for hundreds of times the same wrong one of its name and address', async () => {
  const { begun, ends, ask } = setUp()
  for (let i = 0; i < 200; i++) void ask(password('bob', 'wrong'))
  await turns()
  let isAnswered = false
  void ask(password('bob', 'right')).then(() => (isAnswered = true))
  for (let rounds = 0; rounds < 3; rounds++) {
    for (const end of ends.splice(0)) end()
    await turns()
  }
  expect(isAnswered).toBe(true)
  expect(begun.length).toBeLessThan(20)
})

test('many names from one address are no more than one address', async () => {
  const { begun, ask } = setUp()
  for (let i = 0; i < 50; i++) void ask(password(`name ${i}`))
  await turns()
  expect(begun).toHaveLength(8)
  void ask(password('bob'), { address: '192.0.2.2' })
  await turns()
  expect(begun.at(-1)).toBe('bob')
})

test('our own workers wait for nobody', async () => {
  const { internalTokens, begun, ask } = setUp()
  for (let i = 0; i < 300; i++) void ask({ kind: 'token', token: 'wrong' }, { address: '127.0.0.1' })
  const token = internalTokens.issue({ action: 'read', path: 'bob/cam' })
  void ask({ kind: 'token', token }, { address: '127.0.0.1' })
  void ask({ kind: 'password', username: 'worker', password: token }, { address: '127.0.0.1' })
  expect(begun.slice(-2)).toEqual(['token', 'worker'])
})

test('what is asked beyond what may wait is refused for now, and later no more', async () => {
  const { ends, ask } = setUp()
  const first = ask({ kind: 'none' })
  for (let i = 1; i < 4; i++) void ask({ kind: 'none' })
  await turns()
  for (let i = 0; i < 300; i++) void ask({ kind: 'none' })
  expect(await ask({ kind: 'none' })).toEqual({
    refusal: { reason: 'unavailable', sentence: 'You ask too much at once; try again in a moment.' },
  })
  ends.shift()!()
  expect(await first).toEqual(yes)
  await turns()
  const later = ask({ kind: 'none' })
  for (let i = 0; i < 304; i++) {
    if (ends.length === 0) await turns()
    ends.shift()!()
  }
  expect(await later).toEqual(yes)
})

test('answers that are held back keep nobody waiting', async () => {
  const { begun, ask } = setUp(1)
  for (let i = 0; i < 40; i++) void ask(password('bob'))
  await expect.poll(() => begun.length).toBe(40)
})
