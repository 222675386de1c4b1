import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createLog } from '../observe/log.ts'
import { type PullStatus } from '../streams/pulled-paths.ts'
import { type RemotePath } from '../streams/remote-paths.ts'
import { type ClaimedPath } from './live-path.store.ts'
import { createPathWatch, type PathWatch } from './path-watch.ts'

const row = (path: string, nodeId: string, given: Partial<ClaimedPath> = {}): ClaimedPath => ({
  path,
  nodeId,
  principal: 'ann',
  protocol: 'rtsp',
  video: undefined,
  since: 5,
  ...given,
})

let clock: FakeClock
let rows: ClaimedPath[]
let cameras: { path: string; nodeId: string }[]
let pull: PullStatus | undefined
let isAway: boolean
let known: readonly RemotePath[]
let reads: number
let reconciled: number
let watch: PathWatch
beforeEach(() => {
  clock = createFakeClock()
  rows = []
  cameras = []
  pull = undefined
  isAway = false
  known = []
  reads = 0
  reconciled = 0
  watch = createPathWatch({
    store: {
      async list() {
        reads++
        if (isAway) throw new Error('The database cannot be reached.')
        return rows
      },
    },
    nodeId: 'a',
    cameras: { listElsewhere: async () => cameras },
    pullStatusOf: () => pull,
    registry: { reconcile: async () => void reconciled++ },
    remotePaths: { set: (paths) => void (known = paths) },
    clock,
    log: createLog({ level: 'silent' }),
  })
})
afterEach(() => watch.close())

async function pass(ms: number): Promise<void> {
  await clock.advance(ms)
  await clock.advance(0)
}

test('what other nodes have is known: streams that are live, and cameras that they call', async () => {
  rows = [
    row('ann/mine', 'a'),
    row('ann/cam', 'b'),
    row('ann/claimed', 'b', { since: 0 }),
    row('ann/gate', 'b', { principal: 'pull:ann/gate' }),
  ]
  cameras = [
    { path: 'ann/gate', nodeId: 'b' },
    { path: 'ann/idle', nodeId: 'c' },
  ]
  watch.start()
  await pass(0)
  const live = { protocol: 'rtsp', video: undefined, since: 5 }
  expect(known).toEqual([
    { path: 'ann/gate', nodeId: 'b', isCamera: true, live, pull: undefined },
    { path: 'ann/idle', nodeId: 'c', isCamera: true, live: undefined, pull: undefined },
    { path: 'ann/cam', nodeId: 'b', isCamera: false, live },
  ])
  expect(reconciled).toBe(1)
  pull = { state: 'lost', since: 1, lastError: null }
  watch.apply()
  expect([known[1]?.pull, reads]).toEqual([pull, 1])
})

test('it is read anew soon after a change, once for many, and every five seconds', async () => {
  watch.start()
  await pass(0)
  rows = [row('ann/cam', 'b')]
  for (let times = 0; times < 10; times++) watch.refresh()
  await pass(0)
  await pass(50)
  expect([known.length, reads]).toEqual([1, 2])
  await pass(4_900)
  expect(reads).toBe(2)
  await pass(100)
  await pass(50)
  expect(reads).toBe(3)
})

test('what was known stays while the database is away', async () => {
  rows = [row('ann/cam', 'b')]
  watch.start()
  await pass(0)
  isAway = true
  rows = []
  for (let times = 0; times < 3; times++) {
    await pass(5_000)
    await pass(50)
  }
  expect([known.length, reads]).toEqual([1, 4])
  isAway = false
  await pass(5_000)
  await pass(50)
  expect(known).toEqual([])
})
