import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { demoConfig } from './demo-config.ts'

test('the demo leaves the settings of the service in earnest alone, beside it or named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-demo-config-'))
  const before = process.cwd()
  process.chdir(folder)
  onTestFinished(() => (process.chdir(before), rmSync(folder, { recursive: true })))
  writeFileSync('config.yml', 'AERIE_DATABASE_URL: postgres://aerie:secret@db/production\nAERIE_HTTP_PORT: 9999\n')

  const dataDir = resolve('data/demo')
  for (const env of [{}, { AERIE_CONFIG: 'config.yml' }])
    expect(demoConfig(env)).toMatchObject({
      dataDir,
      databaseUrl: `sqlite:${dataDir}/aerie.db`,
      httpPort: 8080,
      file: undefined,
    })
})

test('the environment counts', () => {
  expect(demoConfig({ AERIE_HTTP_PORT: '8181', AERIE_LOG_LEVEL: 'info' })).toMatchObject({
    httpPort: 8181,
    logLevel: 'info',
  })
})
