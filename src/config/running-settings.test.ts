import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from './config.ts'
import { noteRunningSettings, readRunningSettings } from './running-settings.ts'

test('what a service runs with is noted without its secrets, until it ends', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'aerie-running-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const secrets = {
    AERIE_MASTER_KEY: 'the-secret-of-the-master',
    AERIE_METRICS_TOKEN: 'the-secret-of-prometheus',
    AERIE_DATABASE_URL: 'postgres://aerie:the-secret@db/aerie',
  }
  const config = loadConfig({ AERIE_DATA_DIR: dataDir, AERIE_MEDIA_AUTH: 'remote', ...secrets })
  const ports = { httpPort: 1, httpRedirectPort: 6, rtspPort: undefined, rtmpPort: 3, rtspsPort: 4, rtmpsPort: 5 }
  const forget = noteRunningSettings(config, ports)
  const noted = readRunningSettings(dataDir)
  expect(noted).toMatchObject({ dataDir, httpPort: 1, rtmpPort: 3, rtspsPort: 4, rtmpsPort: 5, mediaAuth: 'remote' })
  expect(noted?.rtspPort).toBeUndefined()
  expect(noted).toMatchObject({ outbound: config.outbound, metricsAuth: { need: 'always', token: '***' } })
  expect(JSON.stringify(noted)).not.toContain('the-secret')
  forget()
  expect(readRunningSettings(dataDir)).toBeUndefined()
})
