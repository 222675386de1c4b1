import { beforeEach, describe, expect, test } from 'vitest'
import { createKnownPaths } from './known-paths.ts'
import { createLivePaths, type LivePaths } from './live-paths.ts'
import { createRemotePaths, type RemotePath } from './remote-paths.ts'

const live = (since: number) => ({ protocol: 'rtsp', video: undefined, since }) as const
const at = (nodeId: string, path = 'ann/cam', since = 1): RemotePath => ({
  path,
  nodeId,
  isCamera: false,
  live: live(since),
})

let local: ReturnType<typeof createLivePaths>
let remote: ReturnType<typeof createRemotePaths>
let known: LivePaths
let sent: string[]
let seen: string[]
beforeEach(() => {
  local = createLivePaths()
  remote = createRemotePaths()
  known = createKnownPaths(local.localPaths, remote.remotePaths, remote.relayOrders)
  sent = []
  seen = []
  remote.relayOrders.onOrder((message) => void sent.push([message.type, ...Object.values(message).slice(1)].join(' ')))
  known.onLive(({ path, since }) => void seen.push(`live ${path} ${since}`))
  known.onGone((path) => void seen.push(`gone ${path}`))
})

const publishHere = (now: number) =>
  local.reports.handle({ type: 'live', path: 'ann/cam', protocol: 'rtmp', principal: 'ann', video: undefined }, now)
const leaveHere = () => local.reports.handle({ type: 'gone', path: 'ann/cam', reason: 'publisher-left' }, 0)

describe('what other nodes have', () => {
  test('the media server learns of each path, of the node that it goes to, and of all after its start', () => {
    remote.remotePaths.set([at('b'), at('c', 'ann/yard')])
    remote.remotePaths.set([at('b', 'ann/cam', 2), at('c', 'ann/yard')])
    remote.remotePaths.set([at('c', 'ann/cam', 2)])
    expect(sent).toEqual(['relay ann/cam b', 'relay ann/yard c', 'relay ann/cam c', 'unrelay ann/yard'])
    expect(remote.relayOrders.orders()).toEqual([{ type: 'relay', path: 'ann/cam', node: 'c' }])
  })

  test('is known to be live as what arrives here is, once for each publication', () => {
    remote.remotePaths.set([at('b')])
    remote.remotePaths.set([at('b')])
    expect([known.isLive('ann/cam'), known.find('ann/cam')?.since, known.list().length]).toEqual([true, 1, 1])
    remote.remotePaths.set([at('b', 'ann/cam', 2)])
    remote.remotePaths.set([])
    expect(seen).toEqual(['live ann/cam 1', 'gone ann/cam', 'live ann/cam 2', 'gone ann/cam'])
    expect(local.localPaths.isLive('ann/cam')).toBe(false)
  })

  test('what arrives here counts before what another node says, and a path that moves is gone in between', () => {
    remote.remotePaths.set([at('b')])
    publishHere(5)
    expect(known.find('ann/cam')).toMatchObject({ protocol: 'rtmp', since: 5 })
    remote.remotePaths.set([])
    expect(seen).toEqual(['live ann/cam 1', 'gone ann/cam', 'live ann/cam 5'])
    remote.remotePaths.set([at('c', 'ann/cam', 7)])
    leaveHere()
    expect(seen.slice(3)).toEqual(['gone ann/cam', 'live ann/cam 7'])
    expect([known.list().length, local.localPaths.list()]).toEqual([1, []])
  })

  test('a camera that is not connected is there to be read, and not live; how it goes with it is no new publication', () => {
    const camera: RemotePath = { path: 'ann/gate', nodeId: 'b', isCamera: true, live: undefined }
    remote.remotePaths.set([camera])
    expect([known.isLive('ann/gate'), remote.remotePaths.find('ann/gate')]).toEqual([false, camera])
    remote.remotePaths.set([{ ...camera, live: live(3) }])
    remote.remotePaths.set([{ ...camera, live: live(3), pull: { state: 'connected', since: 4, lastError: null } }])
    expect(remote.remotePaths.find('ann/gate')?.pull?.state).toBe('connected')
    expect([seen, sent]).toEqual([['live ann/gate 3'], ['relay ann/gate b']])
  })
})
