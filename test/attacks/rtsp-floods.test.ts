/** What froze the media server for everybody: many who play and pause a stream of very many packets, again and again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPacket } from '../../src/media/rtp/packet.ts'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { createFrameMaker } from '../builders/h264-rtp.ts'
import { costOf } from '../support/media-server-cost.ts'
import { until } from '../support/until.ts'
import { basic, prepareReader, startPublisher } from '../support/rtsp-roles.ts'

/** Twice that before, and seconds with a hundred readers. */
const MAX_WAIT_CPU_MS = 250

let service: AttackedService
beforeAll(async () => void (service = await startAttacked()))
afterAll(() => service.installation.remove())

test('many who play and pause a stream of tiny packets in a loop', async () => {
  const port = Number(service.ready['rtsp_port'])
  const asMallory = basic('mallory', service.mallory)
  const publisher = await startPublisher(port, 'mallory/tiny', asMallory)
  // So many fit into the bytes that are kept; all are one picture.
  const make = (sequenceNumber: number) =>
    buildPacket({ payloadType: 96, sequenceNumber, timestamp: 9_000, ssrc: 0x1234, marker: false }, Buffer.of(0x41, 1))
  publisher.sendVideo(createFrameMaker()('key'))
  for (let i = 0; i < 60_000; i++) publisher.sendVideo(make(i))
  const keepLive = setInterval(() => publisher.sendVideo(make(0)), 1_000)
  const readers = await Promise.all(Array.from({ length: 50 }, () => prepareReader(port, 'mallory/tiny', asMallory)))
  const cost = await costOf(service, async () => {
    await Promise.all(readers.map(playAndPause))
  })
  clearInterval(keepLive)
  for (const { client } of [...readers, publisher]) client.close()
  expect(cost.maxWaitCpuMs).toBeLessThan(MAX_WAIT_CPU_MS)
})

/** Four times, all at once; of what comes only the answers are looked for. */
async function playAndPause({ client, url, session }: Awaited<ReturnType<typeof prepareReader>>): Promise<void> {
  let answers = 0
  let tail = ''
  client.socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    const text = tail + chunk.toString('latin1')
    answers += text.split('RTSP/1.0 200').length - 1
    tail = text.slice(-11)
  })
  const request = (method: string) => `${method} ${url} RTSP/1.0\r\nCSeq: 9\r\nSession: ${session.Session}\r\n\r\n`
  client.socket.write((request('PLAY') + request('PAUSE')).repeat(4))
  await until(async () => answers === 8, 15_000)
}
