import { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, anEvidenceClip, clipId, createEvidenceClips, createEvidenceRig } from '../../../test/builders/evidence.ts'
import { signingKey } from '../../../test/builders/evidence-package.ts'
import { createServer } from '../../api/server.ts'
import { loadConfig } from '../../config/config.ts'
import { AppError } from '../../core/errors.ts'
import { createHealth } from '../../observe/health.ts'
import { createLog } from '../../observe/log.ts'
import { createMetrics } from '../../observe/metrics.ts'
import { evidenceRoutes } from './evidence.routes.ts'
import { verifyPackage } from './verify-package.ts'
import { bytesSource } from './zip-reader.ts'

let clips: ReturnType<typeof createEvidenceClips>
let api: FastifyInstance
beforeEach(async () => {
  const authenticate = async (key = '') => {
    if (key !== 'key-of-ada') throw new AppError('api-key-invalid')
    return ada
  }
  const log = createLog({ level: 'warn', write: () => {} })
  clips = createEvidenceClips(anEvidenceClip(1), anEvidenceClip(2, { state: 'working' }))
  api = await createServer({
    options: { ...loadConfig({}), bodyLimitBytes: 1_000_000 },
    log,
    metrics: createMetrics(),
    health: createHealth(log),
    authenticate,
    recheck: authenticate,
    routes: [evidenceRoutes(createEvidenceRig(clips))],
  })
})
afterEach(() => api.close())

const get = (url: string, headers: Record<string, string> = { api_key: 'key-of-ada' }) => api.inject({ url, headers })
const problemOf = ({ statusCode, body }: { statusCode: number; body: string }) => {
  const { code, errors } = JSON.parse(body) as { code: string; errors?: readonly { path: string; message: string }[] }
  return [statusCode, code, ...(errors ?? []).map(({ path }) => path)]
}

test('the public key is for everybody', async () => {
  const { statusCode, body } = await get('/evidence_key', {})
  expect([statusCode, JSON.parse(body)]).toEqual([
    200,
    { algorithm: 'Ed25519', public_key: signingKey.pem, fingerprint: signingKey.fingerprint },
  ])
})

test('a package comes as a zip to be kept, and verifies with that key', async () => {
  const { statusCode, headers, rawPayload } = await get(`/evidence?clip_uuid=${clipId(1)}&alias=Tor`)
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/zip', 'no-store'])
  expect(headers['content-disposition']).toBe(
    `attachment; filename="evidence-Tor-20261117T080000Z.zip"; filename*=UTF-8''evidence-Tor-20261117T080000Z.zip`,
  )
  expect((await verifyPackage(bytesSource(rawPayload), signingKey)).problems).toEqual([])
})

test('both are in the documentation of the API', async () => {
  const { paths } = JSON.parse((await get('/openapi.json', {})).body) as { paths: Record<string, unknown> }
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/evidence', '/evidence_key']))
})

test('nobody has one without a key', async () => {
  expect(problemOf(await get(`/evidence?clip_uuid=${clipId(1)}`, {}))).toEqual([403, 'api-key-invalid'])
})

const many = Array.from({ length: 51 }, () => clipId(1)).join(',')
test.each([
  ['none', '', [422, 'input-invalid', 'query.clip_uuid']],
  ['an empty one', '?clip_uuid=', [422, 'input-invalid', 'query.clip_uuid.0']],
  ['what is no id', '?clip_uuid=1', [422, 'input-invalid', 'query.clip_uuid.0']],
  ['more than 50', `?clip_uuid=${many}`, [422, 'input-invalid', 'query.clip_uuid']],
  ['neither yes nor no', `?clip_uuid=${clipId(1)}&reports=maybe`, [422, 'input-invalid', 'query.reports']],
  ['an unknown clip', `?clip_uuid=${clipId(1)},${clipId(3)}`, [404, 'clip-not-found']],
  ['a clip that is cut', `?clip_uuid=${clipId(1)},${clipId(2)}`, [409, 'clip-not-ready']],
])('%s is refused', async (_, query, problem) => {
  expect(problemOf(await get(`/evidence${query}`))).toEqual(problem)
})

test('a package that cannot be finished is cut off, not ended', async () => {
  const address = await api.listen({ port: 0, host: '127.0.0.1' })
  const clip = anEvidenceClip(1)
  const find = clips.find.bind(clips)
  let finds = 0
  // It is deleted between the check and its end.
  clips.find = async (...asked) => {
    if (++finds > 1) clips.remove(clip.id)
    return find(...asked)
  }
  const answer = await fetch(`${address}/evidence?clip_uuid=${clip.id}`, { headers: { api_key: 'key-of-ada' } })
  expect(answer.status).toBe(200)
  await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
})

test('for a HEAD no package is made, and no place of one is held', async () => {
  for (let times = 0; times < 3; times++) {
    const { statusCode, body } = await api.inject({
      method: 'HEAD',
      url: `/evidence?clip_uuid=${clipId(1)}`,
      headers: { api_key: 'key-of-ada' },
    })
    expect([statusCode, body]).toEqual([200, ''])
  }
  // Each was looked at before, and is not read.
  expect(clips.opened.map(({ readableDidRead }) => readableDidRead)).toEqual([false, false, false])
  expect((await get(`/evidence?clip_uuid=${clipId(1)}`)).statusCode).toBe(200)
})
