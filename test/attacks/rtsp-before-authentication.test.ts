/**
 * What a stranger without a key did to the RTSP server: kept connections for as long as it liked by asking for OPTIONS,
 * and with five hundred of them kept everybody else out.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { connectRtsp, type RtspClient } from '../support/rtsp-client.ts'
import { basic, startPublisher } from '../support/rtsp-roles.ts'

let service: AttackedService
let port: number
const clients: RtspClient[] = []
beforeAll(async () => {
  service = await startAttacked()
  port = Number(service.ready['rtsp_port'])
})
afterAll(async () => {
  for (const client of clients) client.close()
  await service.installation.remove()
})

async function stranger(): Promise<RtspClient> {
  const client = await connectRtsp(port)
  clients.push(client)
  return client
}

test.concurrent.each(['OPTIONS', 'DESCRIBE'])(
  'asking for %s again and again does not extend the time to begin',
  async (method) => {
    const client = await stranger()
    const again = setInterval(() => void client.request(method, service.rtspUrl('bob/cam')).catch(() => {}), 500)
    const outcome = await Promise.race([client.closed.then(() => 'closed'), later(16_000)])
    clearInterval(again)
    expect(outcome).toBe('closed')
  },
)

test('idle connections keep nobody out, and are not kept', async () => {
  const idle = await Promise.all(Array.from({ length: 600 }, stranger))
  const publisher = await startPublisher(port, 'bob/cam', basic('bob', service.bob))
  clients.push(publisher.client)
  await idle[0]!.closed
})

const later = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve(`open after ${ms} ms`), ms))
