/** That one client's work leaves everybody else a turn, and how often it may ask for the same. */
import { expect, onTestFinished, test } from 'vitest'
import { createFrameMaker } from '../../../../test/builders/h264-rtp.ts'
import { expectOk, startPublisher, startReader } from '../../../../test/support/rtsp-roles.ts'
import { startRtspServer, type TestRtspServerOptions } from '../../../../test/support/rtsp-server.ts'
import { interleave } from '../wire/interleave.ts'

async function start(options: TestRtspServerOptions = {}) {
  const server = await startRtspServer(options)
  onTestFinished(() => server.close())
  return server
}

/** A reader in the hub that keeps sequence numbers, and how many came at most between two rounds of the event loop. */
async function countByRound(server: Awaited<ReturnType<typeof start>>, path: string) {
  const credentials = { kind: 'password', username: 'ada', password: 'secret' } as const
  const subscription = await server.hub.subscribe(path, { credentials, remoteAddress: '127.0.0.1', protocol: 'rtsp' })
  const numbers: number[] = []
  let maxInARound = 0
  let seen = 0
  let isOver = false
  const look = () => {
    maxInARound = Math.max(maxInARound, numbers.length - seen)
    seen = numbers.length
    if (!isOver) setImmediate(look)
  }
  look()
  onTestFinished(() => void (isOver = true))
  subscription.start({
    packet: ({ data }) => void numbers.push(data.readUInt16BE(2)),
    report: () => undefined,
    end: () => undefined,
  })
  return {
    numbers,
    get maxInARound() {
      return maxInARound
    },
  }
}

test('frames that come in one read are handed on in turns, all of them and in order', async () => {
  const server = await start()
  const publisher = await startPublisher(server.port, 'ada/cam')
  const make = createFrameMaker({ payloadBytes: 2 })
  publisher.sendVideo(make('key'))
  await server.until((hub) => hub.list()[0]?.isLive === true)
  const counted = await countByRound(server, 'ada/cam')
  const packets = Array.from({ length: 10_000 }, () => make('delta'))
  publisher.client.socket.write(interleave(packets.map((data) => ({ channel: 0, data }))))
  const last = packets.at(-1)!.readUInt16BE(2)
  await server.until(() => counted.numbers.at(-1) === last)
  expect(counted.numbers.slice(-10_000)).toEqual(packets.map((packet) => packet.readUInt16BE(2)))
  // One turn where data come in and one where immediates run; a read holds some 3600 frames.
  expect(counted.maxInARound).toBeLessThanOrEqual(2 * 256)
})

test('who plays and pauses again and again waits from the eleventh time on', async () => {
  // Time stands still for the server, so that nothing is allowed anew.
  const server = await start({ now: () => 0 })
  const publisher = await startPublisher(server.port, 'ada/cam')
  publisher.sendVideo(createFrameMaker()('key'))
  const { client, url, session, play } = await startReader(server.port, 'ada/cam')
  for (let i = 1; i < 10; i++) {
    expectOk(await client.request('PAUSE', url, session))
    expectOk(await play())
  }
  expectOk(await client.request('PAUSE', url, session))
  const askedAt = performance.now()
  expectOk(await play())
  expect(performance.now() - askedAt).toBeGreaterThan(900)
})
