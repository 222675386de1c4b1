import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkInput } from './check-input.ts'
import { TelemetryCfg } from './telemetry-cfg.ts'

const missing = (path: string, wanted: string) => ({ path, message: `It is missing: give ${wanted}.` })

test('an object that is missing is told with all that it must hold', () => {
  expect(checkInput(TelemetryCfg, { type: 'mqtt' }, 'cfg').errors).toEqual([
    missing('cfg.parameters', 'an object with ip, port, topic'),
    missing('cfg.parameters.ip', 'text'),
    missing('cfg.parameters.port', 'a number'),
    missing('cfg.parameters.topic', 'text'),
  ])
})

test('so is one in a list', () => {
  const schema = z.object({
    output: z.array(z.object({ config: z.object({ host: z.string(), qos: z.int().default(0) }) })),
  })
  expect(checkInput(schema, { output: [{}] }, 'body').errors).toEqual([
    missing('body.output.0.config', 'an object with host'),
    missing('body.output.0.config.host', 'text'),
  ])
})

test('a camera that never moves is told what its fields of view are', () => {
  expect(checkInput(TelemetryCfg, { type: 'static', parameters: { sensor_vfov: 40 } }, 'cfg').errors).toEqual([
    missing(
      'cfg.parameters.sensor_hfov',
      'the horizontal field of view of the camera, a number of degrees between 0 and 180',
    ),
  ])
  expect(
    checkInput(TelemetryCfg, { type: 'static', parameters: { sensor_hfov: 'x', sensor_vfov: 200 } }, 'cfg').errors,
  ).toEqual([
    { path: 'cfg.parameters.sensor_hfov', message: 'Give a number, not text.' },
    { path: 'cfg.parameters.sensor_vfov', message: 'Give less than 180.' },
  ])
})

test('what is no plain text says what it is', () => {
  const schema = z.object({ id: z.uuid(), day: z.iso.date(), page: z.url() })
  expect(checkInput(schema, { page: 'here' }, 'query').errors).toEqual([
    missing('query.id', 'a uuid'),
    missing('query.day', 'a date, as in 2026-12-31'),
    { path: 'query.page', message: 'Write a URL, as in https://video.example.org.' },
  ])
  expect(checkInput(z.uuid(), 5, 'id').errors).toEqual([{ path: 'id', message: 'Give a uuid, not a number.' }])
})
