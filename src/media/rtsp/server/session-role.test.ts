import { describe, expect, test } from 'vitest'
import { createHub } from '../../hub.ts'
import { type Publication } from '../../publication.ts'
import { createWaitingBytes } from '../../waiting-bytes.ts'
import { type RtspRequest } from '../wire/message.ts'
import { createFanOut } from './fan-out.ts'
import { type Gatekeeper } from './gatekeeper.ts'
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from './limits.ts'
import { type ServerContext } from './server-context.ts'
import { createSessionRole } from './session-role.ts'
import { parseStreamUrl } from './stream-url.ts'

const track = { kind: 'video', codec: 'h264', payloadType: 96, clockRate: 90_000, encodingName: 'H264' } as const
const access = { credentials: { kind: 'none' }, remoteAddress: '127.0.0.1', protocol: 'rtsp' } as const
const failure = (status: number) => expect.objectContaining({ name: 'RtspFailure', status }) as Error

function request(url: string, session?: string): [RtspRequest, ReturnType<typeof parseStreamUrl>] {
  const headers = new Map(session === undefined ? [] : [['session', session]])
  return [{ kind: 'request', method: 'SETUP', url, headers, body: Buffer.alloc(0) }, parseStreamUrl(url)]
}

async function setUp() {
  const events: string[] = []
  const hub = createHub({ authorize: async () => ({ principal: 'ann' }), onEvent: () => {} })
  const log = { info: (_fields: object, text: string) => void events.push(text), warn: () => {} }
  const context: ServerContext = {
    hub,
    log,
    refusals: { note: () => {} },
    limits: DEFAULT_LIMITS,
    timeouts: DEFAULT_TIMEOUTS,
    now: () => 0,
    fanOut: createFanOut(),
    udpPorts: { take: async () => undefined },
    waitingBytes: createWaitingBytes(),
  }
  /** Asked questions and confirmations; `before` runs before each answer. */
  const gate = { asked: 0, confirmed: 0, before: () => {} }
  const gatekeeper: Gatekeeper = {
    async ask(_request, _url, question) {
      gate.asked++
      const accepted = await question(access)
      gate.before()
      return accepted
    },
    async confirm() {
      gate.confirmed++
      gate.before()
    },
    tooManyFailures: false,
    hasRefusedWorker: false,
  }
  const socket = {
    localAddress: '127.0.0.1',
    remoteAddress: '127.0.0.1',
    isEncrypted: false,
    write: () => {},
    queuedBytes: () => 0,
    end: () => void events.push('connection ended'),
    destroy: () => void events.push('connection destroyed'),
  }
  const activity = { endStreaming: () => void events.push('streaming ended') }
  const role = createSessionRole({ socket, context, gatekeeper, activity, onCameraCalled: () => {} })
  const publish = async (path: string): Promise<Publication> => {
    const publication = await hub.publish(path, access)
    publication.start({ tracks: [track] })
    return publication
  }
  return { role, hub, gate, events, publish }
}

describe('a publisher', () => {
  test('announces once, and leaves the path when it ends', async () => {
    const { role, hub, events } = await setUp()
    await role.announce(...request('rtsp://h/ann/cam'), [{ track, control: 'trackID=0' }])
    expect(role.current).toMatchObject({ kind: 'publish', path: 'ann/cam' })
    expect(hub.list()).toHaveLength(1)
    role.end('torn down')
    role.end('again')
    expect(role.current).toBeUndefined()
    expect(hub.list()).toEqual([])
    expect(events).toEqual(['streaming ended', 'A publisher left.'])
  })

  test('takes no path once the connection has closed', async () => {
    const { role, hub, gate } = await setUp()
    gate.before = () => role.close('connection closed')
    const announced = role.announce(...request('rtsp://h/ann/cam'), [{ track, control: 'trackID=0' }])
    await expect(announced).rejects.toThrow(failure(454))
    expect(hub.list()).toEqual([])
  })

  test('ends its connection when the hub ends it', async () => {
    const { role, hub, events } = await setUp()
    await role.announce(...request('rtsp://h/ann/cam'), [{ track, control: 'trackID=0' }])
    hub.expel('ann')
    expect(role.current).toBeUndefined()
    expect(events).toEqual(['streaming ended', 'A publisher left.', 'connection ended'])
  })
})

describe('a player', () => {
  test('needs no credentials again for what was described, but its right is checked', async () => {
    const { role, gate, publish } = await setUp()
    await publish('ann/cam')
    await role.describe(...request('rtsp://h/ann/cam'))
    const player = await role.playerFor(...request('rtsp://h/ann/cam/trackID=0'))
    expect(role.current).toBe(player)
    expect(gate).toMatchObject({ asked: 1, confirmed: 1 })
  })

  test('of another stream than was described shows its credentials', async () => {
    const { role, gate, publish } = await setUp()
    await publish('ann/cam')
    await publish('ann/other')
    await role.describe(...request('rtsp://h/ann/other'))
    await role.playerFor(...request('rtsp://h/ann/cam/trackID=0'))
    expect(gate).toMatchObject({ asked: 2, confirmed: 0 })
  })

  test('stays the same for the next track, and has tracks of one stream', async () => {
    const { role, publish } = await setUp()
    await publish('ann/cam')
    const player = await role.playerFor(...request('rtsp://h/ann/cam/trackID=0'))
    expect(await role.playerFor(...request('rtsp://h/ann/cam/trackID=0', player.id))).toBe(player)
    await expect(role.playerFor(...request('rtsp://h/ann/other/trackID=0'))).rejects.toThrow(failure(459))
  })

  test('that has paused begins anew when it names no session', async () => {
    const { role, events, publish } = await setUp()
    await publish('ann/cam')
    const player = await role.playerFor(...request('rtsp://h/ann/cam/trackID=0'))
    await player.setUp(0, [{ protocol: 'tcp', channels: [0, 1] }])
    expect(await role.playerFor(...request('rtsp://h/ann/cam/trackID=0'))).not.toBe(player)
    expect(events).toEqual(['streaming ended'])
  })

  test('whose session ended while its right was checked is refused', async () => {
    const { role, gate, publish } = await setUp()
    await publish('ann/cam')
    const player = await role.playerFor(...request('rtsp://h/ann/cam/trackID=0'))
    gate.before = () => role.end('torn down')
    await expect(role.confirm(player)).rejects.toThrow(failure(454))
  })
})
