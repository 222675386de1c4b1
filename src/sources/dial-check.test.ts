import { expect, test } from 'vitest'
import { anAccount } from '../../test/builders/plain-account.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { createDialCheck } from './dial-check.ts'

const asked: unknown[] = []
const check = createDialCheck(async ({ username }, hostname, port) => {
  asked.push([username, hostname, port])
  return hostname === '10.0.0.1' ? 'It may not be called.' : undefined
})
const account = anAccount({ username: 'ann' })
const broker = (ip: string): TelemetryCfg => ({
  type: 'mqtt',
  format: 'native',
  parameters: { ip, port: 1883, topic: 't', time_offset_ms: 0 },
})
const refused = (path: string) => ({
  code: 'input-invalid',
  errors: [{ path, message: 'It may not be called.' }],
})

test('a stream’s host is asked about without its credentials, and refused by its field', async () => {
  await check.checkStream(account, 'rtsp://user:secret@cam.test:8554/x')
  expect(asked.pop()).toEqual(['ann', 'cam.test', undefined])
  await expect(check.checkStream(account, 'rtsp://10.0.0.1/x')).rejects.toMatchObject(refused('body.input_url'))
})

test('a broker is asked about with its port, and other telemetry not at all', async () => {
  await check.checkBroker(account, broker('broker.test'))
  expect(asked.pop()).toEqual(['ann', 'broker.test', 1883])
  await expect(check.checkBroker(account, broker('10.0.0.1'))).rejects.toMatchObject(
    refused('body.telemetry_cfg.parameters.ip'),
  )
  asked.length = 0
  await check.checkBroker(account, { type: 'websocket', format: 'native', parameters: { time_offset_ms: 0 } })
  await check.checkBroker(account, null)
  expect(asked).toEqual([])
})
