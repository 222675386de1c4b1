import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createLog } from '../observe/log.ts'
import { createLivePaths } from '../streams/live-paths.ts'
import { type RouteRelay } from '../streams/node-relays.ts'
import { type RemotePath } from '../streams/remote-paths.ts'
import { type RelayAnswer, type RelayCommand } from './relay-commands.ts'
import { type ClusterRelays, createClusterRelays } from './relays.ts'

let clock: FakeClock
let local: ReturnType<typeof createLivePaths>
let remote: RemotePath[]
let urls: Record<string, string | null>
let asked: (RelayCommand & { readonly to: string })[]
let answer: () => Promise<RelayAnswer>
let route: RouteRelay
let calls: string[]
let held: string[]
let onHold: (path: string) => void
let pushFails: Error | undefined
let relays: ClusterRelays
beforeEach(() => {
  clock = createFakeClock()
  local = createLivePaths()
  remote = [{ path: 'ann/cam', nodeId: 'b', isCamera: false, live: { protocol: 'rtsp', video: undefined, since: 1 } }]
  urls = { a: 'rtsp://a:8554', b: 'rtsps://b:8555/' }
  asked = []
  answer = async () => ({ ok: true })
  calls = []
  held = []
  pushFails = undefined
  relays = createClusterRelays({
    streams: {
      localPaths: local.localPaths,
      remotePaths: { find: (path) => remote.find((one) => one.path === path) },
      nodeRelays: {
        routeBy: (next) => void (route = next),
        async push(path, url) {
          calls.push(`push ${path} ${url}`)
          if (pushFails) throw pushFails
          return () => void calls.push(`unpush ${path}`)
        },
        endPublication: () => {},
      },
      pulledPaths: {
        has: (path) => path === 'ann/gate',
        hold(path) {
          calls.push(`hold ${path}`)
          return () => void calls.push(`let go of ${path}`)
        },
        listHeld: () => held,
        onHold: (handler) => void (onHold = handler),
      },
    },
    tokens: { issue: (action, path) => `${action}-${path}` },
    nodes: { rtspUrlOf: (nodeId) => urls[nodeId] ?? null, ownRtspUrl: () => urls['a'] ?? null },
    request(to, command) {
      asked.push({ to, ...command })
      return answer()
    },
    settle: async (path) => void calls.push(`settle ${path}`),
    clock,
    log: createLog({ level: 'silent' }),
  })
  relays.start()
})
afterEach(() => relays.close())

const publishHere = (path = 'ann/mine') =>
  local.reports.handle({ type: 'live', path, protocol: 'rtsp', principal: 'ann', video: undefined }, 1)
const PUSH = { type: 'push', path: 'ann/mine', url: 'rtsp://b/ann/mine?token=t' } as const

describe('how a stream of another node comes here', () => {
  test('it is read there, with a token for just that', async () => {
    expect(await route('ann/cam')).toEqual({ kind: 'pull', url: 'rtsps://b:8555/ann/cam?token=read-ann/cam' })
    expect(await route('ann/other')).toMatchObject({ kind: 'none' })
  })

  test('where it cannot be reached it is asked to push, for a minute at once', async () => {
    expect(await route('ann/cam', 'Connection refused.')).toEqual({ kind: 'push' })
    await clock.advance(59_000)
    expect(await route('ann/cam')).toEqual({ kind: 'push' })
    await clock.advance(1_000)
    expect(await route('ann/cam')).toMatchObject({ kind: 'pull' })
    const push = { to: 'b', type: 'push', path: 'ann/cam', url: 'rtsp://a:8554/ann/cam?token=publish-ann/cam' }
    expect(asked).toEqual([push, push])
  })

  test('where it says that it cannot send it, as a stream that has just ended, it is read there again', async () => {
    answer = async () => ({ ok: false, sentence: 'Nothing is being published to ann/cam there.' })
    expect(await route('ann/cam', '404 Nothing is being published.')).toMatchObject({ kind: 'none' })
    expect(await route('ann/cam')).toMatchObject({ kind: 'pull' })
  })

  test('a node that says no address is asked at once', async () => {
    urls = { a: 'rtsp://a:8554', b: null }
    expect(await route('ann/cam')).toEqual({ kind: 'push' })
  })

  test.each([
    [
      'it refuses',
      async () => ({ ok: false, sentence: 'Connection timed out.' }) as const,
      'cannot send it here: Connection timed out.',
    ],
    ['it does not answer', () => Promise.reject(new Error('no responders')), 'does not answer; try again in a moment.'],
  ])('viewers are told when %s', async (_what, next, sentence) => {
    answer = next
    const refused = await route('ann/cam', 'Connection refused.')
    expect(refused).toEqual({ kind: 'none', sentence: `It is live on the node "b", which ${sentence}` })
  })

  test('viewers are told where neither node can reach the other', async () => {
    urls = {}
    expect(await route('ann/cam')).toMatchObject({
      kind: 'none',
      sentence: expect.stringContaining('nor this node') as string,
    })
    expect(asked).toEqual([])
  })
})

describe('what another node asks', () => {
  test('a stream that arrives here is pushed, and no other', async () => {
    expect(await relays.handle('b', PUSH)).toMatchObject({ ok: false })
    publishHere()
    expect(await relays.handle('b', PUSH)).toEqual({ ok: true })
    expect(await relays.handle('b', { ...PUSH, path: 'ann/gate' })).toEqual({ ok: true })
    expect(await relays.handle('b', { ...PUSH, path: 'ann/cam' })).toMatchObject({ ok: false })
    pushFails = new Error('Connection refused.')
    expect(await relays.handle('b', PUSH)).toEqual({ ok: false, sentence: 'Connection refused.' })
  })

  test('nothing is pushed to a node any more that was declared dead', async () => {
    publishHere()
    publishHere('ann/second')
    await relays.handle('b', PUSH)
    await relays.handle('b', { ...PUSH, path: 'ann/second' })
    local.reports.handle({ type: 'gone', path: 'ann/second', reason: 'publisher-left' }, 2)
    relays.onNodeGone('b')
    relays.onNodeGone('b')
    expect(calls.filter((call) => call.startsWith('unpush'))).toEqual(['unpush ann/mine'])
  })

  test('a camera is held for as long as that is asked again', async () => {
    const hold = { type: 'hold', path: 'ann/gate' } as const
    await relays.handle('b', hold)
    await clock.advance(10_000)
    await relays.handle('b', hold)
    await clock.advance(10_000)
    expect(calls).toEqual(['hold ann/gate'])
    await clock.advance(15_000)
    expect(calls).toEqual(['hold ann/gate', 'let go of ann/gate'])
    await relays.handle('b', { type: 'hold', path: 'ann/unknown' })
    expect(calls).toHaveLength(2)
  })

  test('a path that was taken over is looked at', async () => {
    await relays.handle('b', { type: 'settle-path', path: 'ann/mine' })
    expect(calls).toEqual(['settle ann/mine'])
  })
})

test('a camera of another node that somebody here waits for is held there, now and every five seconds', async () => {
  remote = [{ path: 'ann/door', nodeId: 'b', isCamera: true, live: undefined }]
  held = ['ann/door', 'ann/gate']
  onHold('ann/door')
  answer = () => Promise.reject(new Error('no responders'))
  await clock.advance(5_000)
  await clock.advance(5_000)
  expect(asked).toEqual(Array(3).fill({ to: 'b', type: 'hold', path: 'ann/door' }))
})
