import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPacketMaker, threeTracks } from '../../test/builders/three-tracks.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { startFakeCamera } from '../../test/support/fake-camera.ts'
import { type BuiltProgram, buildMediaServer } from '../../test/support/media-server-program.ts'
import { startStreamNode, type StreamNode } from '../../test/support/stream-node.ts'
import { until } from '../../test/support/until.ts'
import { createFrameMaker } from '../../test/builders/h264-rtp.ts'
import { OWN_SERVER } from '../media/rtsp/client/connection.ts'
import { openRtspPlayer } from '../media/rtsp/client/player.ts'
import { openRtspPublisher } from '../media/rtsp/client/publisher.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'

let program: BuiltProgram
let database: TestDatabase
let nodes: Map<string, StreamNode>
/** Nodes that no other can dial. */
let hidden: Set<string>
let toClose: { close(): unknown }[]
beforeAll(async () => void (program = await buildMediaServer()))
afterAll(() => program.remove())
beforeEach(async () => {
  database = await createMigratedDatabase('postgres')
  nodes = new Map()
  hidden = new Set()
  toClose = []
  for (const nodeId of ['a', 'b'])
    await startStreamNode(nodeId, { db: database.db, nodes, hidden, mediaServerEntry: program.entry })
})
afterEach(async () => {
  for (const one of toClose.reverse()) await one.close()
  for (const node of nodes.values()) await node.close()
  await database.remove()
})

const node = (nodeId: string) => nodes.get(nodeId)!
const knows = (nodeId: string, path = 'ada/cam') =>
  until(async () => node(nodeId).streams.remotePaths.find(path)?.live !== undefined)

async function publish(nodeId: string, path = 'ada/cam') {
  const publisher = await openRtspPublisher(node(nodeId).urlOf(path), threeTracks)
  await publisher.record()
  const makePacket = createPacketMaker(96, 7)
  const ends: string[] = []
  publisher.onEnd((reason) => void ends.push(reason))
  publisher.write(0, makePacket('key'))
  toClose.push(publisher)
  return { publisher, ends, send: () => publisher.write(0, makePacket()) }
}

async function read(nodeId: string, path = 'ada/cam') {
  const player = await openRtspPlayer(node(nodeId).urlOf(path), OWN_SERVER)
  toClose.push(player)
  const packets: string[] = []
  const ends: string[] = []
  await player.start({
    packet: (_track, data) => void packets.push(data.toString('hex')),
    report: () => {},
    end: (reason) => void ends.push(reason),
  })
  return { packets, ends }
}

describe('two nodes', () => {
  test('what is published on one is read on the other, and known there as live, but not as its own', async () => {
    const { send } = await publish('a')
    await knows('b')
    const { streams } = node('b')
    expect([streams.livePaths.isLive('ada/cam'), streams.canBeRead('ada/cam')]).toEqual([true, true])
    expect(streams.livePaths.find('ada/cam')).toMatchObject({ protocol: 'rtsp', video: { codec: 'h264' } })
    const [there, here] = [await read('a'), await read('b')]
    send()
    await until(async () => here.packets.length === 2 && there.packets.length === 2)
    expect(here.packets).toEqual(there.packets)
    expect(streams.localPaths.list()).toEqual([])
    // The key of Ada allows one path: the relay is none.
    await publish('b', 'ada/second')
    await until(async () => streams.videoTimes.find('ada/cam') !== null)
  })

  test('one that cannot be dialled pushes', async () => {
    hidden.add('a')
    await publish('a')
    await knows('b')
    const reader = await read('b')
    await until(async () => reader.packets.length === 1)
    expect(node('b').streams.localPaths.list()).toEqual([])
    hidden.add('b')
    await publish('b', 'ada/other')
    await knows('a', 'ada/other')
    await expect(read('a', 'ada/other')).rejects.toThrow('503 It is live on the node "b", which cannot be reached')
  })

  test('a path has one publisher among them, and the same one takes over from itself', async () => {
    const first = await publish('a')
    await knows('b')
    const reader = await read('b')
    const { grant } = node('b').streams
    const other = grant('publish', 'ada/cam')
    await expect(openRtspPublisher(other.url, threeTracks)).rejects.toThrow(
      '409 Somebody else is publishing to ada/cam; stop that first, or choose another path.',
    )
    await publish('b')
    await until(async () => first.ends.length === 1 && reader.ends.length === 1)
    await knows('a')
    const again = await read('a')
    await until(async () => again.packets.length === 1)
    expect(node('a').streams.localPaths.list()).toEqual([])
  })

  test('when a publisher leaves, its path is free on both', async () => {
    const { publisher } = await publish('a')
    await knows('b')
    await publisher.close()
    await until(async () => node('b').streams.remotePaths.find('ada/cam') === undefined)
    const other = node('b').streams.grant('publish', 'ada/cam')
    const next = await openRtspPublisher(other.url, threeTracks)
    await next.close()
    await until(async () => (await database.db.selectFrom('live_path').selectAll().execute()).length === 0)
  })

  test('of a node that has died nothing is left in the way', async () => {
    await publish('a')
    await knows('b')
    const reader = await read('b')
    await node('a').close()
    await until(async () => reader.ends.length === 1)
    await database.db.updateTable('node').set({ is_alive: 0, epoch: 2 }).where('id', '=', 'a').execute()
    await publish('b')
    await until(async () => node('b').streams.localPaths.isLive('ada/cam'))
    const again = await read('b')
    await until(async () => again.packets.length === 1)
  })

  test('a camera that one calls on demand is read on the other, and called for it', async () => {
    const makeFrame = createFrameMaker()
    const camera = await startFakeCamera({
      habit({ method }, peer) {
        if (method !== 'PLAY') return false
        peer.answer(200)
        const pace = setInterval(() => peer.sendFrame(0, makeFrame('key')), 20)
        peer.socket.once('close', () => clearInterval(pace))
        return true
      },
    })
    toClose.push(camera)
    const order = { accountId: 'ada-id', outbound: OPERATOR_RULES, mode: 'on-demand', silenceMs: 5_000 } as const
    node('a').streams.pulledPaths.set('ada/gate', { ...order, url: camera.url })
    node('b').cameras.push({ path: 'ada/gate', nodeId: 'a' })
    node('b').watch.refresh()
    const { streams } = node('b')
    await until(async () => streams.canBeRead('ada/gate'))
    expect([streams.livePaths.isLive('ada/gate'), camera.connections]).toEqual([false, 0])
    await expect(publish('b', 'ada/gate')).rejects.toThrow('409')
    const reader = await read('b', 'ada/gate')
    await until(async () => reader.packets.length > 3)
    expect(camera.connections).toBe(1)
    await until(async () => streams.remotePaths.find('ada/gate')?.pull?.state === 'connected')
  })
})
