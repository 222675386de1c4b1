import { expect, test } from 'vitest'
import { createVodWatching, type RecordedVod, seeksInMp4, type VodRequest } from './vod-watching.ts'
import { AppError } from '../core/errors.ts'

const NOW = Date.UTC(2026, 10, 16, 12)
const HOUR_MS = 3_600_000

function createRig() {
  const asked: Parameters<RecordedVod['playlist']>[0][] = []
  let refusal: AppError | undefined
  const vod = createVodWatching({
    access: async () => {
      if (refusal) throw refusal
      return { principal: 'ann' }
    },
    vod: { playlist: async (question) => (asked.push(question), '#EXTM3U') },
    clock: { now: () => NOW },
  })
  const ask = (change: Partial<VodRequest> = {}) =>
    vod.playlist({
      path: 'ann/gate',
      range: {},
      container: undefined,
      userAgent: 'Mozilla/5.0',
      credentials: { key: 'k' },
      address: '127.0.0.1',
      ...change,
    })
  return { asked, ask, refuse: (error: AppError) => void (refusal = error) }
}

test.each([
  { name: 'the last hour', range: {}, stretch: { from: NOW - HOUR_MS, to: NOW } },
  { name: 'until now', range: { from: NOW - 5 * HOUR_MS }, stretch: { from: NOW - 5 * HOUR_MS, to: NOW } },
  { name: 'an hour up to then', range: { to: 9 * HOUR_MS }, stretch: { from: 8 * HOUR_MS, to: 9 * HOUR_MS } },
  { name: 'a day', range: { from: 0, to: 24 * HOUR_MS }, stretch: { from: 0, to: 24 * HOUR_MS } },
])('what is left out means $name', async ({ range, stretch }) => {
  const { ask, asked } = createRig()
  expect(await ask({ range })).toBe('#EXTM3U')
  expect(asked).toEqual([{ path: 'ann/gate', stretch, container: 'mp4', principal: 'ann' }])
})

test.each([
  { range: { from: 5, to: 5 }, path: 'query.to', message: '`to` must be later than `from`.' },
  {
    range: { from: NOW + 1 },
    path: 'query.from',
    message: 'Without `to` it ends now, so `from` must be in the past.',
  },
  {
    range: { from: 0, to: 24 * HOUR_MS + 1 },
    path: 'query.to',
    message: 'A playlist has at most 24 hours: ask for less at a time.',
  },
])('a stretch of $range.from to $range.to is refused in words', async ({ range, path, message }) => {
  const { ask, asked } = createRig()
  await expect(ask({ range })).rejects.toMatchObject({ status: 422, errors: [{ path, message }] })
  expect(asked).toEqual([])
})

test('who may not watch learns of nothing, not even that a stretch is too long', async () => {
  const { ask, asked, refuse } = createRig()
  refuse(new AppError('api-key-missing'))
  await expect(ask({ range: { from: 0, to: NOW } })).rejects.toMatchObject({ code: 'api-key-missing' })
  expect(asked).toEqual([])
})

test.each([
  ['Lavf/59.27.100', false],
  ['Lavf/61.6.100', false],
  ['Lavf/61.7.100', true],
  ['Lavf/62.3.100', true],
  ['VLC/3.0.20 LibVLC/3.0.20', true],
  ['', true],
])('the player "%s" seeks in MP4: %s', (userAgent, seeks) => expect(seeksInMp4(userAgent)).toBe(seeks))

test('the container is what is asked for, else what the player can seek in', async () => {
  const { ask, asked } = createRig()
  await ask({ userAgent: 'Lavf/59.27.100' })
  await ask({ userAgent: 'Lavf/59.27.100', container: 'mp4' })
  await ask({ container: 'ts' })
  expect(asked.map(({ container }) => container)).toEqual(['ts-if-possible', 'mp4', 'ts'])
})
