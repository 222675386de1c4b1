import { describe, expect, test } from 'vitest'
import { anAccount } from '../../test/builders/plain-account.ts'
import { aFile, aSource } from '../../test/builders/source.ts'
import { AppError } from '../core/errors.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { createSourceChanger } from './source-change.ts'
import { type Source } from './source.ts'

const account = anAccount({ username: 'ann' })
const camera = aSource({ mediaPath: 'ann/gate', isPulled: true, inputUrl: 'rtsp://cam.test/1' })

/** `stored` is what the database has by the time of the change. */
function createRig(stored: Source) {
  const calls: string[] = []
  const change = createSourceChanger({
    registry: {
      async change(_account, _id, change, options) {
        const wanted = change(stored)
        const source = { ...wanted, mediaPath: wanted.isPulled ? (wanted.mediaPath ?? 'ann/chosen') : wanted.mediaPath }
        const isMoved = source.mediaPath !== stored.mediaPath
        if (options && isMoved && !options.mayMove()) throw new AppError('source-in-use')
        return { before: stored, source }
      },
    },
    paths: { mediaPathOf: async (_account, url) => (url.includes('//here/') ? url.split('//here/')[1]! : null) },
    dials: { checkBroker: async () => void calls.push('broker checked') },
    knownClasses: () => new Set(['person']),
    refresh: async (...paths) => void calls.push(`refreshed ${paths.join()}`),
  })
  return { change, calls }
}

describe('a camera', () => {
  test('keeps its path with another alias and another address, also while it is processed', async () => {
    const { change, calls } = createRig(camera)
    const changed = await change(account, camera, { alias: 'tower', input_url: 'rtmp://cam.test/live/2' }, () => true)
    expect(changed).toMatchObject({ alias: 'tower', streamType: 'rtmp', mediaPath: 'ann/gate', isPulled: true })
    expect(changed.fingerprint).not.toBe(camera.fingerprint)
    expect(calls).toEqual(['broker checked', 'refreshed ann/gate,ann/gate'])
  })

  test('that is published here from now on has that path, unless a process reads it', async () => {
    const { change } = createRig(camera)
    const here = { input_url: 'rtsp://here/ann/cam' }
    await expect(change(account, camera, here, () => true)).rejects.toMatchObject({ code: 'source-in-use' })
    expect(await change(account, camera, here, () => false)).toMatchObject({ mediaPath: 'ann/cam', isPulled: false })
  })
})

test('a process that starts while the change is being checked counts', async () => {
  const { change, calls } = createRig(camera)
  const isProcessed = () => calls.includes('broker checked')
  const changing = change(account, camera, { input_url: 'rtsp://here/ann/cam' }, isProcessed)
  await expect(changing).rejects.toMatchObject({ code: 'source-in-use' })
})

test('a stream that is called from now on gets a path of its own', async () => {
  const published = aSource({ mediaPath: 'ann/cam' })
  const { change } = createRig(published)
  expect(await change(account, published, { input_url: 'rtsp://cam.test/1' }, () => false)).toMatchObject({
    mediaPath: 'ann/chosen',
    isPulled: true,
  })
})

test('what is left out stays, and null takes telemetry away', async () => {
  const telemetryCfg = { type: 'websocket', format: 'native', parameters: {} } as const
  const source = aSource({ telemetryCfg })
  const { change } = createRig(source)
  expect(await change(account, source, { record: false }, () => false)).toMatchObject({
    telemetryCfg,
    recordingMode: 'off',
  })
  expect(await change(account, source, { telemetry_cfg: null }, () => false)).toMatchObject({ telemetryCfg: null })
})

test('what others have changed meanwhile stays, and is refreshed where it is by now', async () => {
  const stored = { ...camera, inputUrl: 'rtsp://cam.test/2', mediaPath: 'ann/moved', recordingMode: 'off' as const }
  const { change, calls } = createRig(stored)
  const changed = await change(account, camera, { alias: 'tower', input_url: camera.inputUrl }, () => false)
  expect(changed).toEqual({ ...stored, alias: 'tower', fingerprint: changed.fingerprint })
  expect(calls.at(-1)).toBe('refreshed ann/moved,ann/moved')
})

describe('a source that is sent back as it was shown', () => {
  const telemetryCfg: TelemetryCfg = {
    type: 'mqtt',
    format: 'native',
    parameters: { ip: 'broker.test', port: 1883, topic: 't', username: 'me', password: 'secret' },
  }
  const locked = { ...camera, inputUrl: 'rtsp://me:secret@cam.test/1?token=tk', telemetryCfg }
  const shown = {
    input_url: 'rtsp://me:***@cam.test/1?token=***',
    telemetry_cfg: { ...telemetryCfg, parameters: { ...telemetryCfg.parameters, password: '***' } },
  }

  test('keeps its secrets', async () => {
    const { change } = createRig(locked)
    const changed = await change(account, locked, { ...shown, alias: 'tower' }, () => true)
    expect(changed).toEqual({ ...locked, alias: 'tower', fingerprint: changed.fingerprint })
  })

  test('is refused where a mask stands for a secret of something else', async () => {
    const { change, calls } = createRig(locked)
    const { parameters } = shown.telemetry_cfg
    const elsewhere = {
      input_url: 'rtsp://me:***@another.test/1',
      telemetry_cfg: { ...shown.telemetry_cfg, parameters: { ...parameters, ip: 'another.test' } },
    }
    const message = 'It has *** where the secret belongs; write the secret itself.'
    await expect(change(account, locked, elsewhere, () => false)).rejects.toMatchObject({
      code: 'input-invalid',
      errors: [
        { path: 'body.input_url', message },
        { path: 'body.telemetry_cfg.parameters.password', message },
      ],
    })
    expect(calls).toEqual([])
  })
})

test('a file has an alias and telemetry, and neither address nor recording', async () => {
  const file = aFile(account.id, 'film.mp4', 10)
  const { change } = createRig(file)
  expect(await change(account, file, { alias: 'night' }, () => true)).toMatchObject({
    alias: 'night',
    streamType: null,
  })
  for (const recording of [{ record: true }, { recording_mode: 'events' }, { recording_classes: null }] as const)
    await expect(change(account, file, recording, () => false)).rejects.toMatchObject({ code: 'input-invalid' })
})

test('what is recorded is chosen by what is stored by then', async () => {
  const source = aSource({ recordingMode: 'off' })
  const { change } = createRig({ ...source, recordingMode: 'events' })
  expect(await change(account, source, { recording_classes: ['person'] }, () => false)).toMatchObject({
    recordingMode: 'events',
    recordingClasses: ['person'],
  })
})
