import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from './config.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'aerie-config-'))))
afterAll(() => rmSync(folder, { recursive: true }))

function configFile(text: string): string {
  const file = join(folder, `${Math.random()}.yml`)
  writeFileSync(file, text)
  return file
}

test('defaults need nothing at all', () => {
  const config = loadConfig({})
  expect(config).toMatchObject({ httpPort: 8080, host: '0.0.0.0', logLevel: 'info', tls: undefined, corsOrigins: [] })
  expect(config).toMatchObject({ mediaAuth: 'always', metricsAuth: { need: 'always' }, trustProxy: [], hosts: [] })
  expect(config.databaseUrl).toBe(`sqlite:${config.dataDir}/aerie.db`)
  expect(Object.isFrozen(config)).toBe(true)
})

test('the environment wins over the file, the file over the defaults', () => {
  const AERIE_CONFIG = configFile(
    'AERIE_HTTP_PORT: 9000\nAERIE_LOG_LEVEL: debug\nAERIE_CORS_ORIGINS: [https://a.example]\n',
  )
  expect(loadConfig({ AERIE_CONFIG, AERIE_HTTP_PORT: '0' })).toMatchObject({
    httpPort: 0,
    logLevel: 'debug',
    corsOrigins: ['https://a.example'],
  })
})

test('an empty variable is as good as none', () => {
  expect(loadConfig({ AERIE_HTTP_PORT: '', AERIE_PUBLIC_URL: '' }).httpPort).toBe(8080)
})

test('every wrong setting is in one message', () => {
  const load = () =>
    loadConfig({
      AERIE_HTTP_PORT: 'eighty',
      AERIE_LOG_LEVEL: 'loud',
      AERIE_PUBLIC_URL: 'ftp://x',
      AERIE_TLS_CERT: '/nowhere.pem',
      AERIE_CONFIG: configFile('AERIE_HTTP_PROT: 1\n'),
    })
  expect(load).toThrow(/AERIE_HTTP_PORT.*"eighty"/)
  for (const name of ['AERIE_LOG_LEVEL', 'AERIE_PUBLIC_URL', 'AERIE_TLS_CERT', 'AERIE_HTTP_PROT'])
    expect(load).toThrow(name)
})

test('links in notifications work for a week, or as long as is said', () => {
  const hours = (AERIE_NOTIFICATION_LINK_HOURS?: string) =>
    loadConfig({ AERIE_NOTIFICATION_LINK_HOURS }).notificationLinkMs / 3_600_000
  expect([hours(), hours('1'), hours('8760')]).toEqual([168, 1, 8760])
  for (const wrong of ['0', '8761', '1.5', 'for ever'])
    expect(() => hours(wrong)).toThrow('AERIE_NOTIFICATION_LINK_HOURS')
})

test('the folder of models must be there', () => {
  expect(loadConfig({}).modelsDir).toBeUndefined()
  expect(loadConfig({ AERIE_MODELS_DIR: folder }).modelsDir).toBe(folder)
  expect(() => loadConfig({ AERIE_MODELS_DIR: join(folder, 'nowhere') })).toThrow(
    /AERIE_MODELS_DIR: there is no folder/,
  )
  expect(() => loadConfig({ AERIE_MODELS_DIR: configFile('') })).toThrow(/AERIE_MODELS_DIR: there is no folder/)
})

test.each([
  ['https://{s}.tiles.example.org:8080/a/{z}/{x}/{y}{r}.png', undefined],
  ['http://10.0.0.7/{z}/{x}/{y}', undefined],
  ['https://tile-{s}.example.org/{z}/{x}/{y}.png', 'whole of its first part'],
  ['https://{s}/{z}/{x}/{y}.png', 'whole of its first part'],
  ['https://user:pass@tiles.example.org/{z}/{x}/{y}.png', 'without user and password'],
  ['https://tiles.example.org/{z}/{x}.png', 'with {z}, {x} and {y}'],
  ['https://tiles.example.org/{style}/{z}/{x}/{y}.png', 'nothing but'],
])('tiles of %s are taken, or refused with a sentence', (AERIE_MAP_TILES_URL, sentence) => {
  const load = () => loadConfig({ AERIE_MAP_TILES_URL, AERIE_MAP_TILES_ATTRIBUTION: '© Example' })
  if (sentence) expect(load).toThrow(sentence)
  else expect(load().mapTiles).toEqual({ url: AERIE_MAP_TILES_URL, attribution: '© Example' })
})

test.each(['AERIE_MASTER_KEY', 'AERIE_METRICS_TOKEN'])('a wrong %s is never repeated', (name) => {
  expect(() => loadConfig({ [name]: 'hunter2!' })).toThrow(new RegExp(`^(?!.*hunter2).*${name}`, 's'))
})

test.each([
  ['- a\n- b\n', 'write lines such as'],
  ['just text', 'write lines such as'],
  ['a: [', 'at line'],
])('a file that holds no settings is refused with a sentence: %j', (text, sentence) => {
  expect(() => loadConfig({ AERIE_CONFIG: configFile(text) })).toThrow(
    new RegExp(`is not settings in YAML: .*${sentence}`),
  )
})

test('a name without a value in the file is as good as none', () => {
  expect(loadConfig({ AERIE_CONFIG: configFile('AERIE_HTTP_PORT:\nAERIE_PUBLIC_URL: ""\n') }).httpPort).toBe(8080)
})

test('a file that was not named is read only where it is asked for', () => {
  const file = configFile('AERIE_HTTP_PORT: 9000\n')
  expect(loadConfig({}, file)).toMatchObject({ httpPort: 9000, file })
  expect(loadConfig({}, `${file}.gone`).httpPort).toBe(8080)
  const before = process.cwd()
  writeFileSync(join(folder, 'config.yml'), 'AERIE_HTTP_PORT: 9001\n')
  try {
    process.chdir(folder)
    expect(loadConfig({}).httpPort).toBe(8080)
  } finally {
    process.chdir(before)
  }
})

test.each(['true', 'yes', 'loopback', '0.0.0.0/0', '::/0', '10.0.0.1, everyone'])(
  'AERIE_TRUST_PROXY=%s lists no proxies',
  (text) =>
    expect(() => loadConfig({ AERIE_TRUST_PROXY: text })).toThrow(/AERIE_TRUST_PROXY: list the addresses or ranges/),
)

test('neither does true in the file', () => {
  const AERIE_CONFIG = configFile('AERIE_TRUST_PROXY: true\n')
  expect(() => loadConfig({ AERIE_CONFIG })).toThrow(/AERIE_TRUST_PROXY: list the addresses or ranges/)
  expect(loadConfig({ AERIE_CONFIG: configFile('AERIE_TRUST_PROXY: false\n') }).trustProxy).toEqual([])
})

test.each([
  ['', []],
  ['false', []],
  ['10.0.0.1, 10.1.0.0/16', ['10.0.0.1', '10.1.0.0/16']],
])('AERIE_TRUST_PROXY=%s', (text, trustProxy) =>
  expect(loadConfig({ AERIE_TRUST_PROXY: text }).trustProxy).toEqual(trustProxy),
)

test.each(['https://video.example.org', 'video.example.org:8080', '*', 'a..b'])('%s is no host name', (name) => {
  expect(() => loadConfig({ AERIE_HOSTS: name })).toThrow(/AERIE_HOSTS: host names such as/)
})

test('a certificate that is none is a wrong setting like any other', () => {
  const file = configFile('not a certificate')
  expect(() => loadConfig({ AERIE_TLS_CERT: file, AERIE_TLS_KEY: file })).toThrow(
    /AERIE_TLS_CERT and AERIE_TLS_KEY: not a PEM/,
  )
})

test.each(['example.org', 'https://a.example/', 'https://a.example/app'])('%s is no web origin', (origin) => {
  expect(() => loadConfig({ AERIE_CORS_ORIGINS: origin })).toThrow('AERIE_CORS_ORIGINS')
})
