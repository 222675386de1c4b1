import { expect, test } from 'vitest'
import { aProcess } from '../../test/builders/process.ts'
import { DEFAULT_PICTURE_LIMIT } from '../core/picture-limit.ts'
import { type TelemetryPlan } from '../core/telemetry.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { orderFor } from './pipeline-order.ts'
import { initialSettings } from './worker-settings.ts'

const input = { kind: 'hub', path: 'ann/cam', url: 'rtsp://hub/ann/cam' } as const
const options = {
  maxPicture: DEFAULT_PICTURE_LIMIT,
  modelCacheDir: 'models',
  inferenceThreads: 2,
  provider: 'cpu' as const,
  reconnectMs: 60_000,
}
const spec = { input, telemetry: null, outbound: OPERATOR_RULES }
const nothingYet = { highestTrackId: 0, ptsSeconds: null }

test('a new process fails when its source isn’t there', () => {
  expect(orderFor(aProcess(), spec, nothingYet, initialSettings([]), options)).toMatchObject({
    input,
    reconnection: { mayWait: false, giveUpAfterMs: 60_000 },
    firstTrackId: 1,
    isPaused: false,
    geolocation: null,
    outputs: [],
    preview: null,
  })
})

test('the next worker goes on where the last one was, and waits', () => {
  const process = aProcess({ startedAt: 5, state: 'paused' })
  const progress = { highestTrackId: 7, ptsSeconds: 1.5 }
  expect(orderFor(process, spec, progress, initialSettings([]), options)).toMatchObject({
    playback: { startedAtMs: 5, resumeAfterSeconds: 1.5 },
    reconnection: { mayWait: true },
    firstTrackId: 8,
    isPaused: true,
  })
})

test('a pause that was asked for before the first picture is for after it', () => {
  const process = aProcess({ startedAt: null, state: 'paused' })
  expect(orderFor(process, spec, nothingYet, initialSettings([]), options).isPaused).toBe(false)
})

test('fields of view that an earlier worker was sent go along with the telemetry', () => {
  const telemetry: TelemetryPlan = { kind: 'stream', maxAgeMs: 1, timeOffsetMs: 0, yawBiasDeg: 0 }
  const settings = { ...initialSettings([]), fieldsOfView: { timeMs: 1 } }
  const order = orderFor(aProcess(), { ...spec, telemetry }, nothingYet, settings, options)
  expect(order.geolocation).toMatchObject({ telemetry, fieldsOfView: { timeMs: 1 } })
  expect(order).not.toHaveProperty('fieldsOfView')
})

test('one that begins each time video comes gives its worker up after a minute without, or sooner', () => {
  const process = aProcess({ options: { ...aProcess().options, begins: 'each-time-live' } })
  const giveUpAfterMs = (reconnectMs: number | null) =>
    orderFor(process, spec, nothingYet, initialSettings([]), { ...options, reconnectMs }).reconnection.giveUpAfterMs
  expect([null, 3_000, 600_000].map(giveUpAfterMs)).toEqual([60_000, 3_000, 60_000])
})
