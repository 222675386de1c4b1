import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { locate } from './locate.ts'
import { locateLine } from './locate-line.ts'

const telemetry = {
  latitude: 51.44162,
  longitude: -0.94562,
  altitude: 67.104,
  rel_altitude: 7.104,
  camera_pitch: -45,
  camera_yaw: 0,
  camera_roll: 0,
  sensor_hfov: 36.28,
  sensor_vfov: 27.61,
}
const size = { width: 768, height: 576 }
const ask = (question: object) => locateLine(JSON.stringify({ ...size, telemetry, ...question }), undefined)

describe('a line', () => {
  test('comes back with where its pixel is', () => {
    expect(ask({ pixel: [384, 288], name: 'kept' })).toMatchObject({
      telemetry,
      pixel: [384, 288],
      name: 'kept',
      latitude: expect.closeTo(51.44162 + 7.104 / 111_260, 7),
      longitude: expect.closeTo(-0.94562, 9),
      altitude: 60,
      distance: expect.closeTo(10.047, 3),
      azimuth: 0,
      elevation: 0,
      position_source: 'ground',
    })
  })

  test('with a box alone is located at the feet', () => {
    const box = ask({ bbox: [374, 208, 20, 80], class_name: 'person' })
    const foot = ask({ pixel: [384, 288] }) as { latitude: number }
    expect(box).toMatchObject({ latitude: foot.latitude })
  })

  test('above the horizon has a direction and no place', () => {
    const up = { ...telemetry, camera_pitch: 20 }
    expect(ask({ telemetry: up, pixel: [384, 288] })).toMatchObject({
      latitude: null,
      longitude: null,
      distance: null,
      azimuth: 0,
      unlocated: 'horizon',
    })
  })

  test.each([
    ['not JSON', 'it', /^it is not JSON/],
    ['no size', JSON.stringify({ telemetry, pixel: [1, 2] }), /^width: /],
    ['no pixel', JSON.stringify({ telemetry, ...size }), /pixel: \[u, v\] or bbox/],
    [
      'a latitude of 91',
      JSON.stringify({ ...size, pixel: [1, 2], telemetry: { latitude: 91 } }),
      /^telemetry: latitude/,
    ],
    ['no field of view', JSON.stringify({ ...size, pixel: [1, 2], telemetry: { latitude: 9 } }), /sensor_hfov/],
    ['no telemetry', JSON.stringify({ ...size, pixel: [1, 2] }), /^telemetry: /],
  ])('with %s is refused in a sentence', (_name, line, sentence) => {
    expect(() => locateLine(line, undefined)).toThrow(sentence)
  })
})

describe('a file', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    process.exitCode = undefined
  })

  test('is answered line by line; bad lines are told by their number and fail the command', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aerie-locate-'))
    const file = join(folder, 'questions.jsonl')
    const good = JSON.stringify({ ...size, telemetry, pixel: [384, 288] })
    writeFileSync(file, [good, 'nonsense', '', good].join('\n'))
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await locate.run([file])
    rmSync(folder, { recursive: true })
    expect(out).toHaveBeenCalledTimes(2)
    expect(err).toHaveBeenCalledTimes(1)
    expect(err.mock.calls[0]![0]).toMatch(/^aerie: line 2: it is not JSON/)
    expect(process.exitCode).toBe(1)
  })

  test('is not read on once nobody reads the answers, as after `| head`, and nothing is said of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aerie-locate-'))
    const file = join(folder, 'questions.jsonl')
    writeFileSync(file, `${JSON.stringify({ ...size, telemetry, pixel: [384, 288] })}\n`.repeat(50))
    const out = vi.spyOn(process.stdout, 'write').mockImplementation(() => {
      process.nextTick(() => process.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })))
      return false
    })
    const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await locate.run([file])
    rmSync(folder, { recursive: true })
    expect(out).toHaveBeenCalledTimes(1)
    expect(err).not.toHaveBeenCalled()
    expect(process.exitCode).toBeUndefined()
  })

  test('that is not there is reported', async () => {
    const file = join(tmpdir(), 'there-is-no-such-file')
    await expect(locate.run([file])).rejects.toThrow(`There is no file ${file}.`)
  })
})
