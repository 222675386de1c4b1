/**
 * A stranger asks for nonsense until the disk is full of the lines about it, and a camera that sends nonsense makes the
 * service look broken in its own log.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { startFakeCamera } from '../support/fake-camera.ts'
import { until } from '../support/until.ts'

let service: AttackedService
beforeAll(async () => void (service = await startAttacked()))
afterAll(() => service.installation.remove())

const logLines = () =>
  service
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string; status?: number; err?: object; code?: string })

test('a camera that sends nonsense is a warning with a sentence, not an error with a stack', async () => {
  const camera = await startFakeCamera({ sdp: 'v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 NONSENSE/90000\r\n' })
  try {
    const body = { alias: 'gate', input_url: camera.url, stream_type: 'rtsp' }
    const source = await service.call('POST', '/stream', { body })
    const { source_uuid } = (await source.json()) as { source_uuid: string }
    const answer = await service.call('POST', `/start?source_uuid=${source_uuid}`)
    expect(await answer.json()).toMatchObject({ status: 503, code: 'source-unreadable' })
  } finally {
    await camera.close()
  }
  expect(logLines().filter(({ level, err }) => level >= 50 || err !== undefined)).toEqual([])
  expect(logLines()).toContainEqual(expect.objectContaining({ level: 40, code: 'source-unreadable' }))
})

test('a flood of refused requests of one address has a line for the first of them', async () => {
  const before = logLines().length
  for (let i = 0; i < 500; i++) expect((await fetch(`${service.url}/nothing-${i}`)).status).toBe(404)
  expect(logLines().length - before).toBeLessThanOrEqual(60)
  // What somebody changes still has its line.
  expect((await service.call('POST', '/keys', { body: { username: 'dave' } })).status).toBe(201)
  await until(async () => logLines().at(-1)?.status === 201, 5_000)
})
