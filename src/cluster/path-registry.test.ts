import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createLog } from '../observe/log.ts'
import { createLivePaths } from '../streams/live-paths.ts'
import { type ClaimedPath, type PathClaim } from './live-path.store.ts'
import { createPathRegistry, type PathRegistry, type PathRegistryDeps } from './path-registry.ts'

let clock: FakeClock
let local: ReturnType<typeof createLivePaths>
/** The rows, as the nodes a and b see them; both are alive. */
let rows: Map<string, ClaimedPath>
let calls: string[]
let fails: Error | undefined
/** The database takes so long, until it is let go. */
let hanging: Promise<void> | undefined
let registry: PathRegistry
let changes: number
beforeEach(() => {
  clock = createFakeClock()
  local = createLivePaths()
  rows = new Map()
  calls = []
  fails = undefined
  hanging = undefined
  changes = 0
  registry = create('a')
})

function create(nodeId: string): PathRegistry {
  const answer = async () => {
    await hanging
    if (fails) throw fails
  }
  const store: PathRegistryDeps['store'] = {
    async take(claim, _by, { takesOver }) {
      await answer()
      const row = rows.get(claim.path)
      const isFree = !row || row.nodeId === nodeId || (takesOver && row.principal === claim.principal)
      if (isFree) rows.set(claim.path, { ...claim, nodeId })
      return { isTaken: isFree, before: isFree && row?.nodeId !== nodeId ? row?.nodeId : undefined }
    },
    async confirm(claim) {
      await answer()
      const isOurs = rows.get(claim.path)?.nodeId === nodeId
      if (isOurs) rows.set(claim.path, { ...claim, nodeId })
      return isOurs
    },
    async release(path) {
      await answer()
      if (rows.get(path)?.nodeId === nodeId) rows.delete(path)
    },
  }
  return createPathRegistry({
    store,
    self: () => ({ nodeId, epoch: 1 }),
    localPaths: local.localPaths,
    endPublication: (path) => void calls.push(`end ${path}`),
    onTakenOver: (from, path) => void calls.push(`taken over from ${from} ${path}`),
    onChange: () => void changes++,
    clock,
    log: createLog({ level: 'silent' }),
  })
}

const take = (principal = 'ann', path = 'ann/cam') => registry.claims.take(path, principal, 'rtsp')
async function goLive(principal = 'ann', path = 'ann/cam'): Promise<void> {
  local.reports.handle({ type: 'live', path, protocol: 'rtsp', principal, video: undefined }, clock.now())
  await clock.advance(0)
}
async function leave(path = 'ann/cam'): Promise<void> {
  local.reports.handle({ type: 'gone', path, reason: 'publisher-left' }, clock.now())
  await clock.advance(0)
}
const isElsewhere = (principal = 'ann', path = 'ann/cam') => {
  const claim: PathClaim = { path, principal, protocol: 'rtsp', video: undefined, since: 1 }
  rows.set(path, { ...claim, nodeId: 'b' })
}
const seen = () =>
  [...rows.values()].map(({ path, nodeId, principal, since }) => ({ path, nodeId, principal, isLive: since > 0 }))

describe('a publisher', () => {
  test('has the path among all nodes from before it is live until it has gone', async () => {
    expect(await take()).toBe(true)
    expect(seen()).toEqual([{ path: 'ann/cam', nodeId: 'a', principal: 'ann', isLive: false }])
    await goLive()
    expect(seen()).toMatchObject([{ isLive: true }])
    await leave()
    expect(seen()).toEqual([])
    expect(changes).toBe(2)
  })

  test('is refused where somebody else has it on another node', async () => {
    isElsewhere('bob')
    expect(await take()).toBe(false)
    expect(seen()).toMatchObject([{ nodeId: 'b', principal: 'bob' }])
  })

  test('takes over from itself on another node, which is notified', async () => {
    isElsewhere()
    expect(await take()).toBe(true)
    expect(calls).toEqual(['taken over from b ann/cam'])
  })

  test('that has never been live leaves the path, but for one that has come meanwhile', async () => {
    await take()
    await take()
    registry.claims.unused('ann/cam')
    await clock.advance(0)
    expect(rows.size).toBe(1)
    registry.claims.unused('ann/cam')
    await clock.advance(0)
    expect(rows.size).toBe(0)
  })

  test('that comes beside another on this node is the hub’s to judge, and the row stays that of who is live', async () => {
    await take()
    await goLive()
    expect(await take('bob')).toBe(true)
    registry.claims.unused('ann/cam')
    await clock.advance(0)
    expect(seen()).toEqual([{ path: 'ann/cam', nodeId: 'a', principal: 'ann', isLive: true }])
  })

  test('goes on while the database is away, and is known to all once it is back', async () => {
    fails = new Error('The database cannot be reached.')
    expect(await take()).toBe(true)
    await goLive()
    fails = undefined
    await registry.reconcile([])
    expect(seen()).toMatchObject([{ path: 'ann/cam', isLive: true }])
  })

  test('is not kept waiting by a database that hangs; what it says in the end holds', async () => {
    let go!: () => void
    hanging = new Promise((resolve) => (go = resolve))
    isElsewhere('bob')
    const taken = take()
    await clock.advance(0)
    await clock.advance(2_000)
    expect(await taken).toBe(true)
    await goLive()
    go()
    await clock.advance(0)
    await clock.advance(0)
    expect(calls).toEqual(['end ann/cam'])
  })

  test('of a preview is on each node for itself', async () => {
    await goLive('internal', 'ann/cam/~preview')
    await leave('ann/cam/~preview')
    expect([rows.size, changes]).toEqual([0, 0])
  })
})

describe('hub and row', () => {
  test('a publication ends whose publisher has come to another node', async () => {
    await take()
    await goLive()
    isElsewhere()
    await registry.settle('ann/cam')
    expect(calls).toEqual(['end ann/cam'])
    await leave()
    expect(seen()).toMatchObject([{ nodeId: 'b' }])
  })

  test('agree after a while where a message was lost, both ways', async () => {
    await take()
    await goLive()
    isElsewhere()
    rows.set('ann/left', {
      path: 'ann/left',
      nodeId: 'a',
      principal: 'ann',
      protocol: 'rtsp',
      video: undefined,
      since: 1,
    })
    await registry.reconcile([...rows.values()])
    expect(calls).toEqual(['end ann/cam'])
    expect(seen()).toMatchObject([{ path: 'ann/cam', nodeId: 'b' }])
  })

  test('a path that was claimed and never used is left after a minute, though nobody has said so', async () => {
    await take()
    await clock.advance(59_000)
    await registry.reconcile([...rows.values()])
    expect(rows.size).toBe(1)
    await clock.advance(1_000)
    await registry.reconcile([...rows.values()])
    expect(rows.size).toBe(0)
  })

  test('what is in order is left alone', async () => {
    await take()
    await goLive()
    await registry.reconcile([...rows.values()])
    expect([changes, calls]).toEqual([1, []])
  })
})
