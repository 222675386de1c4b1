import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { type AccountWithBalance } from './accounts.store.ts'
import { createChildKeys } from './child-keys.ts'

const anAccount = (username: string, masterId: string | null) =>
  ({ id: username, username, masterId }) as AccountWithBalance
const master = anAccount('master', null)
const child = anAccount('child', 'master')
const rotated = { account: child, key: 'key', sourceTokens: { kept: 0, revoked: 0 } }
const byName = new Map([master, child, anAccount('stranger', 'other')].map((account) => [account.username, account]))

let done: string[]
let keys: ReturnType<typeof createChildKeys>
beforeEach(() => {
  done = []
  const note = (what: string) => async (account: { username: string }) => void done.push(`${what} ${account.username}`)
  keys = createChildKeys({
    accounts: {
      find: async (username) => byName.get(username)!,
      findRevocable: async (username) => ({ ...byName.get(username)!, isRevoked: false }),
      update: async (account) => (await note('updates')(account), child),
      rotate: async (account) => (await note('rotates')(account), rotated),
      revoke: note('revokes'),
    },
    issuer: { createChild: async (_master, wanted) => (await note('creates')(wanted), { account: child, key: 'key' }) },
    store: { listChildren: async () => ({ items: [child], nextCursor: undefined }) },
    ledger: { allocate: async (_from, to) => void done.push(`allocates to ${to}`) },
    clock: systemClock,
  })
})

type Act = (caller: AccountWithBalance, username: string) => Promise<unknown>
const acts: Readonly<Record<string, Act>> = {
  'finds one': (caller, username) => keys.findChild(caller, username),
  'allocates to one': (caller, username) => keys.allocate(caller, username, 5),
  'updates one': (caller, username) => keys.updateChild(caller, username, { max_sources: 1 }),
  'rotates one': (caller, username) => keys.rotateChild(caller, username, { revokeTokens: false }),
  'revokes one': (caller, username) => keys.revokeChild(caller, username, { purge: false }),
}

describe.each(Object.entries(acts))('a key that %s', (_name, act) => {
  test('may do so with its own children', async () => {
    await act(master, 'child')
  })
  test('does not find those of others', async () => {
    await expect(act(master, 'stranger')).rejects.toMatchObject({ code: 'key-not-found' })
    expect(done).toEqual([])
  })
  test('has to be a master', async () => {
    await expect(act(child, 'child')).rejects.toMatchObject({ code: 'master-key-required' })
    expect(done).toEqual([])
  })
})

test('only a master makes and lists keys', async () => {
  const wanted = { username: 'new', minutes: 0 }
  await expect(keys.createChild(child, wanted)).rejects.toMatchObject({ code: 'master-key-required' })
  await expect(keys.listChildren(child, { limit: 1 })).rejects.toMatchObject({ code: 'master-key-required' })
  await keys.createChild(master, wanted)
  expect(done).toEqual(['creates new'])
})

test('a master may allocate minutes to itself, but not revoke itself', async () => {
  await keys.allocate(master, 'master', 5)
  expect(done).toEqual(['allocates to master'])
  const revoked = keys.revokeChild(master, 'master', { purge: true })
  await expect(revoked).rejects.toMatchObject({ code: 'own-key-not-revocable' })
})

test.each(['updates one', 'rotates one'])(
  'a master that %s which is its own is told by whom it is changed',
  async (name) => {
    const refused = acts[name]!(master, master.username)
    await expect(refused).rejects.toMatchObject({ code: 'own-key-not-changeable' })
    await expect(refused).rejects.toThrow(`aerie keys update ${master.username}`)
    expect(done).toEqual([])
  },
)
