import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { anAccount } from '../../test/builders/plain-account.ts'
import { aSource } from '../../test/builders/source.ts'
import { AppError } from '../core/errors.ts'
import { type ProbeReport } from '../media/messages.ts'
import { type NewFileSource } from './source-registry.ts'
import { type Source } from './source.ts'
import { createVideoService } from './videos.service.ts'

const account = anAccount({ username: 'ann' })
const received = { file: '/in/a', fileName: 'a.mp4', sizeBytes: 7, sha256: 'hash', extension: '.mp4' }
const report: ProbeReport = {
  is_live: false,
  container: 'mov,mp4,m4a',
  codec: 'h264',
  width: 640,
  height: 360,
  fps: 25,
  measured_fps: 25,
  pixel_format: 'yuv420p',
  audio_codec: null,
  duration_seconds: 1,
  keyframe_interval_seconds: 1,
  has_b_frames: false,
  open_ms: 1,
  first_frame_ms: 3,
  wall_clock_skew_ms: null,
  problems: [],
}
const video = { codec: 'h264', width: 640, height: 360, fps: 25, hasBFrames: false }

interface Rig {
  readonly existing?: Source
  readonly sameContent?: Source
  readonly probed?: ProbeReport | Error
  readonly failure?: Error
}

function createRig({ existing, sameContent, probed = report, failure }: Rig = {}) {
  const calls: string[] = []
  const inserted: NewFileSource[] = []
  const service = createVideoService({
    store: { findByFingerprint: async () => existing, findByContent: async () => sameContent },
    registry: {
      async insertFile(_account, _received, source) {
        inserted.push(source)
        return { source: { ...source, file: 'f', contentSha256: 'hash' }, isNew: true }
      },
    },
    videos: {
      async receive() {
        if (failure) throw failure
        return received
      },
      async discard() {
        if (failure) throw failure
      },
    },
    uploads: { enter: () => ({ reserve: async () => {}, release: () => void calls.push('released') }) },
    async probe() {
      calls.push('probed')
      if (probed instanceof Error) throw probed
      return probed
    },
    dials: { checkBroker: async () => void calls.push('broker checked') },
    clock: createFakeClock(5),
  })
  return { service, calls, inserted }
}

describe('the room of an upload', () => {
  const release = () => {}

  test('is held while the file is there', async () => {
    const { service, calls } = createRig()
    const kept = await service.receive(account, 'a.mp4', Readable.from([]))
    expect(calls).toEqual([])
    await service.discard(kept)
    expect(calls).toEqual(['released'])
  })

  test('is free after an upload that fails', async () => {
    const { service, calls } = createRig({ failure: new Error('EIO') })
    await expect(service.receive(account, 'a.mp4', Readable.from([]))).rejects.toThrow('EIO')
    expect(calls).toEqual(['released'])
  })

  test('a file that cannot be removed keeps no room for its account', async () => {
    const { service } = createRig({ failure: new Error('EIO') })
    let isReleased = false
    const kept = { ...received, release: () => void (isReleased = true) }
    await expect(service.discard(kept)).rejects.toThrow('EIO')
    expect(isReleased).toBe(true)
    await expect(service.discard({ ...received, release })).rejects.toThrow('EIO')
  })
})

describe('registering a file', () => {
  test('what is in it is found by decoding, and its name is its alias', async () => {
    const { service, inserted } = createRig()
    await service.register(account, received, {})
    expect(inserted).toMatchObject([
      { alias: 'a.mp4', inputUrl: 'a.mp4', type: 'file', sizeBytes: 7, video, createdAt: 5, accountId: account.id },
    ])
  })

  test('the same content is not decoded again, and the same source not registered again', async () => {
    const known = createRig({ sameContent: aSource({ video }) })
    await known.service.register(account, received, { alias: 'b' })
    expect(known.inserted).toMatchObject([{ alias: 'b', video }])
    expect(known.calls).toEqual(['broker checked'])
    const existing = aSource()
    const same = createRig({ existing })
    expect(await same.service.register(account, received, {})).toEqual({ source: existing, isNew: false })
    expect(same.inserted).toEqual([])
  })

  test('a mask in the place of the broker’s password refuses it', async () => {
    const { service, inserted } = createRig()
    const parameters = { ip: 'broker.test', port: 1883, topic: 't', username: 'me', password: '***' }
    const telemetryCfg = { type: 'mqtt', format: 'native', parameters } as const
    await expect(service.register(account, received, { telemetryCfg })).rejects.toMatchObject({
      errors: [{ path: 'body.telemetry_cfg.parameters.password' }],
    })
    expect(inserted).toEqual([])
  })

  test.each<[string, ProbeReport | Error, string, string]>([
    ['another container', { ...report, container: 'avi' }, 'video-unreadable', 'inside it is avi'],
    ['no picture', { ...report, first_frame_ms: null, problems: ['Nothing.'] }, 'video-unreadable', 'Nothing.'],
    ['what the decoder says', new Error('moov atom not found'), 'video-unreadable', 'moov atom not found'],
    ['a refusal of ours', new AppError('shutting-down'), 'shutting-down', ''],
  ])('%s refuses it', async (_name, probed, code, reason) => {
    const { service, inserted } = createRig({ probed })
    const refusal = await service.register(account, received, {}).catch((error: unknown) => error as AppError)
    expect(refusal).toMatchObject({ code, message: expect.stringContaining(reason) })
    expect(inserted).toEqual([])
  })
})
