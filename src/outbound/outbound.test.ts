import { expect, test } from 'vitest'
import { createOutbound } from './outbound.ts'

const child = { id: 'child', masterId: 'master' }
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'mixed.example': ['169.254.169.254', '127.0.0.1'],
  'denied.example': ['169.254.169.254', '10.0.0.1'],
  'partly.example': ['169.254.169.254', '192.0.2.7'],
  'empty.example': [],
}

function createTestOutbound() {
  const resolve = async (hostname: string) => {
    if (!NAMES[hostname]) throw new Error('ENOTFOUND')
    return NAMES[hostname].map((address) => ({ address, family: 4 }))
  }
  return createOutbound({
    lists: { deny: ['10.0.0.0/8'], allow: [] },
    mediaPorts: () => [8554],
    findAccount: async () => child,
    resolver: { for: () => resolve },
  })
}

test.each(['mixed.example', 'denied.example', '127.0.0.1', '10.0.0.1'])(
  'what is objected to %s when it is registered is what the dial says',
  async (hostname) => {
    const outbound = createTestOutbound()
    const dialled = await outbound.dial(child.id, hostname, 1935).catch((error: Error) => error.message)
    expect(await outbound.objectionTo(child, hostname, 1935)).toBe(dialled)
    expect(dialled).toMatch(/may not be called|may call/)
  },
)

test.each(['partly.example', 'empty.example', 'unknown.example', '192.0.2.7'])(
  'nothing is said against %s, which can be called, or may be there later',
  async (hostname) => {
    expect(await createTestOutbound().objectionTo(child, hostname, 1935)).toBeUndefined()
  },
)

test('a name without addresses is no host', async () => {
  await expect(createTestOutbound().dial(child.id, 'empty.example', 1935)).rejects.toMatchObject({
    denial: undefined,
    message: 'There is no host empty.example.',
  })
})
