import { Readable } from 'node:stream'
import { fastify, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AppError } from '../core/errors.ts'
import { hlsRoutes } from './hls.routes.ts'
import { type HlsQuestion } from './hls.service.ts'
import { type VodRequest } from './vod-watching.ts'

let app: FastifyInstance
let asked: HlsQuestion[]
let vodAsked: VodRequest[]
let known: string[]

beforeAll(async () => {
  app = fastify()
  app.decorateRequest('baseUrl', 'http://localhost')
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler((error, _request, reply) => reply.code((error as AppError).status ?? 422).send())
  const answer = async (question: HlsQuestion) => {
    asked.push(question)
    return { type: 'video/mp4', cacheControl: 'no-cache', sizeBytes: 2, body: Readable.from([Buffer.from('ok')]) }
  }
  const knownCredentials = { add: (credential: string, owner: string) => void known.push(`${credential}: ${owner}`) }
  const vod = {
    playlist: async (request: VodRequest) => {
      vodAsked.push(request)
      return '#EXTM3U\n'
    },
  }
  await app.register(hlsRoutes({ hls: { answer }, vod, knownCredentials, isForOtherOrigins: true }))
})
beforeEach(() => {
  asked = []
  vodAsked = []
  known = []
})
afterAll(() => app.close())

test.each([
  { name: 'the header api_key', headers: { api_key: 'k' }, wanted: { credentials: { key: 'k' }, isInQuery: false } },
  {
    name: 'Bearer',
    headers: { authorization: 'Bearer k' },
    wanted: { credentials: { key: 'k' }, isInQuery: false },
  },
  { name: 'the query', search: '?api_key=k', wanted: { credentials: { key: 'k' }, isInQuery: true } },
  { name: 'a token', search: '?token=t', wanted: { credentials: { token: 't' }, isInQuery: true } },
  { name: 'nothing', wanted: { credentials: {}, isInQuery: false } },
])('the caller is known by $name', async ({ headers = {}, search = '', wanted }) => {
  const { statusCode, body } = await app.inject({ url: `/hls/ann/cam/index.m3u8${search}`, headers })
  expect([statusCode, body]).toEqual([200, 'ok'])
  expect(asked).toMatchObject([{ path: 'ann/cam', file: 'index.m3u8', isFirst: true, search: '', ...wanted }])
  const [credential] = Object.values(wanted.credentials)
  expect(known).toEqual(credential ? [`${credential}: streams of ann`] : [])
})

test('a path may be deep, and a reload says what it waits for', async () => {
  await app.inject('/hls/ann/site/north/cam/stream.m3u8?_HLS_msn=7&_HLS_part=2&token=t')
  expect(asked).toMatchObject([
    { path: 'ann/site/north/cam', file: 'stream.m3u8', isFirst: false, search: '?_HLS_msn=7&_HLS_part=2' },
  ])
})

test.each([
  'ann/cam/',
  'ann/index.m3u8',
  'index.m3u8',
  'ann/cam/other.m3u8',
  'ann/cam/../index.m3u8',
  'ann/cam/..%2f..%2fmaster.key',
  'ann/%2e%2e/cam/index.m3u8',
  'ann/cam/1.m4s%00',
  'ann/cam/1.2.3.m4s',
  'ann/c am/1.m4s',
  `ann/cam/${'1'.repeat(50)}.m4s`,
])('there is nothing at %s', async (name) => {
  expect((await app.inject(`/hls/${name}`)).statusCode).toBe(404)
  expect(asked).toEqual([])
})

test('the past is asked for by its times', async () => {
  const search = 'from=2026-11-16T03:00:00Z&to=2026-11-16T04:00:00%2B01:00&container=ts'
  const headers = { 'user-agent': 'Lavf/59.27.100', authorization: 'Bearer k' }
  const answer = await app.inject({ url: `/hls/ann/cam/vod.m3u8?${search}`, headers })
  expect([answer.statusCode, answer.body]).toEqual([200, '#EXTM3U\n'])
  expect(answer.headers).toMatchObject({ 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-cache' })
  const [from, to] = [Date.UTC(2026, 10, 16, 3), Date.UTC(2026, 10, 16, 3)]
  const wanted = {
    path: 'ann/cam',
    range: { from, to },
    container: 'ts',
    userAgent: 'Lavf/59.27.100',
    address: '127.0.0.1',
  }
  expect(vodAsked).toEqual([{ ...wanted, credentials: { key: 'k' } }])
  expect(known).toEqual(['k: streams of ann'])
})

test.each(['from=yesterday', 'to=2026-11-16T03:00', 'container=avi'])('%s is refused', async (search) => {
  expect((await app.inject(`/hls/ann/cam/vod.m3u8?${search}`)).statusCode).toBe(422)
  expect(vodAsked).toEqual([])
})
