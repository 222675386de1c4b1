import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { loadConfig } from '../config/config.ts'
import { type Finding } from './finding.ts'
import { type DeadJobFacts, findingsOf, type InstallationFacts, type KeyFacts } from './installation-findings.ts'

const folder = mkdtempSync(join(tmpdir(), 'aerie-findings-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { cert, key } = createSelfSigned()
writeFileSync(join(folder, 'cert.pem'), cert)
writeFileSync(join(folder, 'key.pem'), key)
const TLS = { AERIE_TLS_CERT: join(folder, 'cert.pem'), AERIE_TLS_KEY: join(folder, 'key.pem') }
const OFF = { AERIE_RTSP_PORT: 'off', AERIE_RTMP_PORT: 'off' }

const admin = { username: 'admin', isMaster: true, expirationDate: null }

function facts(settings: Record<string, string> = {}, change: Partial<InstallationFacts> = {}): InstallationFacts {
  return {
    settings: loadConfig({ AERIE_DATA_DIR: '/var/aerie', ...settings }),
    isRunning: true,
    isWebrtcPortTaken: false,
    inference: { used: 'cpu' },
    modes: { dataDir: 0o40700, masterKey: null, file: null },
    database: { state: 'read', keys: [admin], deadJobs: [] },
    ...change,
  }
}

function about(topic: string, ...given: Parameters<typeof facts>): Finding[] {
  return findingsOf(facts(...given)).filter((finding) => finding.topic === topic)
}

const modes = (dataDir: number | null, masterKey: number | null) => ({ modes: { dataDir, masterKey, file: null } })
const child = (username: string, expirationDate: string | null) => ({ username, isMaster: false, expirationDate })

const withKeys = (...keys: KeyFacts[]): Partial<InstallationFacts> => ({
  database: { state: 'read', keys, deadJobs: [] },
})
const withDeadJobs = (...deadJobs: DeadJobFacts[]): Partial<InstallationFacts> => ({
  database: { state: 'read', keys: [admin], deadJobs },
})
const missing: Partial<InstallationFacts> = { database: { state: 'missing' } }
const older: Partial<InstallationFacts> = { database: { state: 'older' } }
const unreadable: Partial<InstallationFacts> = { database: { state: 'unreadable', reason: 'connect ECONNREFUSED' } }

test.each<[string, string, Finding['level'], RegExp, Record<string, string>?, Partial<InstallationFacts>?]>([
  ['all networks', 'listening', 'note', /all networks of this machine: HTTP 8080, RTSP 8554/],
  ['one network', 'listening', 'note', /on 10\.0\.0\.5: /, { AERIE_HOST: '10.0.0.5' }],
  ['this machine', 'listening', 'ok', /on 127\.0\.0\.1 only/, { AERIE_HOST: '127.0.0.1' }],
  ['a service that is down', 'listening', 'note', /does not answer/, {}, { isRunning: false }],
  ['WebRTC’s port', 'listening', 'note', /RTMP 1935, and from the first viewer on WebRTC 8189 \(UDP and TCP\)\.$/],
  ['any port for WebRTC', 'listening', 'note', /WebRTC any free port/, { AERIE_WEBRTC_PORT: '0' }],
  ['all encrypted ports', 'listening', 'note', /: HTTPS 8080, RTSP 8554, RTSPS 8322, RTMP 1935, RTMPS 1936,/, TLS],
  [
    'encrypted ports only, and a redirect',
    'listening',
    'note',
    /: HTTPS 8080, HTTP to HTTPS 80, RTSPS 8322, RTMPS 1936,/,
    { ...TLS, ...OFF, AERIE_HTTP_REDIRECT_PORT: '80' },
  ],
  ['encrypted beside plain', 'TLS', 'note', /plain RTSP and RTMP can be used beside them/, TLS],
  ['one plain port', 'TLS', 'note', /plain RTMP can be used/, { ...TLS, AERIE_RTSP_PORT: 'off' }],
  ['encrypted beside plain here', 'TLS', 'ok', /on this machine only/, { ...TLS, AERIE_HOST: '127.0.0.1' }],
  ['all encrypted', 'TLS', 'ok', /^HTTP, RTSP and RTMP are encrypted/, { ...TLS, ...OFF }],
  ['plain text on a network', 'TLS', 'warn', /travel unencrypted/],
  ['plain text here', 'TLS', 'ok', /nothing leaves this machine/, { AERIE_HOST: '::1' }],
  [
    'a proxy with TLS',
    'TLS',
    'note',
    /RTSP and RTMP are not/,
    { AERIE_PUBLIC_URL: 'https://a.example', AERIE_TRUST_PROXY: '10.0.0.1' },
  ],
  ['https without a proxy', 'TLS', 'warn', /travel unencrypted/, { AERIE_PUBLIC_URL: 'https://a.example' }],
  ['streams for keys', 'streams', 'ok', /needs a key or a token/],
  ['streams for this machine', 'streams', 'warn', /every visitor of a proxy/, { AERIE_MEDIA_AUTH: 'remote' }],
  ['streams for all', 'streams', 'warn', /Whoever reaches the ports/, { AERIE_MEDIA_AUTH: 'off' }],
  ['metrics for the first master', 'metrics', 'ok', /needs the key of admin/],
  ['metrics with a token', 'metrics', 'ok', /AERIE_METRICS_TOKEN or/, { AERIE_METRICS_TOKEN: 'x'.repeat(20) }],
  ['open metrics', 'metrics', 'warn', /open to whoever/, { AERIE_METRICS_AUTH: 'off' }],
  ['no proxy', 'proxies', 'ok', /No proxy is believed: /],
  ['a proxy', 'proxies', 'note', /Believed: 10\.0\.0\.1/, { AERIE_TRUST_PROXY: '10.0.0.1' }],
  [
    'a proxy that was forgotten',
    'proxies',
    'note',
    /though AERIE_PUBLIC_URL/,
    { AERIE_HOST: '127.0.0.1', AERIE_PUBLIC_URL: 'https://a.example' },
  ],
  ['a misspelt variable', 'settings', 'warn', /do you mean AERIE_MEDIA_AUTH/, { AERIE_MEDIA_AUHT: 'off' }],
  ['no other pages', 'CORS', 'ok', /our own pages/],
  ['some other pages', 'CORS', 'ok', /a\.example/, { AERIE_CORS_ORIGINS: 'https://a.example' }],
  ['all pages', 'CORS', 'warn', /Any web page/, { AERIE_CORS_ORIGINS: '*' }],
  ['calls to all networks', 'outbound', 'note', /any but this machine/],
  ['calls that are denied', 'outbound', 'ok', /never call 10\.0\.0\.0\/8/, { AERIE_OUTBOUND_DENY: '10.0.0.0/8' }],
  ['calls to a broker', 'outbound', 'note', /also call 127\.0\.0\.1/, { AERIE_OUTBOUND_ALLOW: '127.0.0.1' }],
  [
    'calls to others',
    'outbound',
    'note',
    /^Of the other addresses of your networks users may call any but/,
    { AERIE_OUTBOUND_ALLOW: '127.0.0.1' },
  ],
  ['calls to everything', 'outbound', 'warn', /cloud metadata included/, { AERIE_OUTBOUND_ALLOW: '0.0.0.0/0' }],
  ['a closed folder', 'files', 'ok', /Only its owner reads \/var\/aerie/],
  ['an open folder', 'files', 'warn', /\/var\/aerie may be read.*mode 755/, {}, modes(0o40755, null)],
  ['an open key', 'files', 'warn', /master\.key may be read.*mode 644/, {}, modes(0o40700, 0o100644)],
  ['a key that is left', 'files', 'note', /still holds a master key/, {}, modes(0o40700, 0o100600)],
  ['no folder', 'files', 'note', /no \/var\/aerie yet/, {}, modes(null, null)],
  ['a full disk', 'disk', 'note', /nine tenths/],
  ['a budget', 'disk', 'ok', /up to 200 GB/, { AERIE_DISK_BUDGET: '200GB' }],
  ['SQLite', 'database', 'ok', /sqlite:\/var\/aerie\/aerie\.db/],
  [
    'a database elsewhere',
    'database',
    'note',
    /^postgres:\/\/me:\*\*\*@db\.example\/aerie\. The connection is not encrypted/,
    { AERIE_DATABASE_URL: 'postgres://me:secret@db.example/aerie' },
  ],
  [
    'a database that is encrypted',
    'database',
    'ok',
    /sslmode=verify-full\.$/,
    { AERIE_DATABASE_URL: 'postgres://me:secret@db.example/aerie?sslmode=verify-full' },
  ],
  ['one master', 'keys', 'ok', /^1 master key: admin\.$/],
  ['two masters', 'keys', 'note', /^2 master keys/, {}, withKeys(admin, { ...admin, username: 'other' })],
  [
    'keys without an end',
    'keys',
    'note',
    /^1 of 2 child keys never expire: a\.$/,
    {},
    withKeys(admin, child('a', null), child('b', '2030-01-01')),
  ],
  ['no database', 'database', 'note', /^There is no service data in sqlite:\/var\/aerie\/aerie\.db\.$/, {}, missing],
  ['keys of no database', 'keys', 'note', /the first start makes a master key/, {}, missing],
  ['an older database', 'database', 'note', /aerie\.db is of an older version/, {}, older],
  ['keys of an older database', 'keys', 'note', /upgraded at the next start/, {}, older],
  ['a database that is down', 'database', 'note', /cannot be read \(connect ECONNREFUSED\)/, {}, unreadable],
  ['keys of a database that is down', 'keys', 'note', /the database cannot be read/, {}, unreadable],
  [
    'a database elsewhere that is down',
    'database',
    'note',
    /The connection is not encrypted/,
    { AERIE_DATABASE_URL: 'postgres://me:secret@db.example/aerie' },
    unreadable,
  ],
])('%s: %s is %s', (_name, topic, level, sentence, settings, change) => {
  expect(about(topic, settings, change)).toContainEqual(
    expect.objectContaining({ level, sentence: expect.stringMatching(sentence) as string }),
  )
})

test('whatever is not well says what to do, but for what could not be looked at', () => {
  const open = {
    AERIE_MEDIA_AUTH: 'off',
    AERIE_METRICS_AUTH: 'off',
    AERIE_CORS_ORIGINS: '*',
    AERIE_OUTBOUND_ALLOW: '0.0.0.0/0',
  }
  const findings = findingsOf(facts(open, modes(0o40777, 0o100666)))
  expect(findings.filter(({ level }) => level === 'warn')).toHaveLength(7)
  for (const { level, advice } of findings) if (level !== 'ok') expect(advice).toBeTruthy()
})

test.each<[string, DeadJobFacts[], Finding['level'], string]>([
  ['none', [], 'ok', 'No job has failed for good.'],
  ['one', [{ kind: 'purge', count: 1, lastError: null }], 'note', '1 job has failed for good: 1 of purge.'],
  [
    'of several kinds',
    [
      { kind: 'mail', count: 2, lastError: 'http://a:hunter2@b refused' },
      { kind: 'purge', count: 1, lastError: 'disk' },
    ],
    'note',
    '3 jobs have failed for good: 2 of mail (the last one: http://a:***@b refused), 1 of purge (the last one: disk).',
  ],
])('dead jobs are counted: %s', (_name, deadJobs, level, sentence) => {
  expect(about('jobs', {}, withDeadJobs(...deadJobs))).toMatchObject([{ level, sentence }])
})

test('of jobs in a database that cannot be looked at nothing is claimed', () => {
  expect(about('jobs', {}, unreadable)).toEqual([])
})

test('what is not well with a database, and only that, is told instead of that all is well', () => {
  for (const change of [missing, older, unreadable]) {
    const findings = about('database', {}, change)
    expect(findings).toMatchObject([{ level: 'note', advice: expect.any(String) as string }])
  }
})

test('the address that gives readers a token is the documented one', () => {
  expect(about('streams', { AERIE_MEDIA_AUTH: 'off' })[0]!.advice).toContain('/source/{source_uuid}/token')
})

test('no secret is told', () => {
  const text = JSON.stringify(
    findingsOf(
      facts({
        AERIE_DATABASE_URL: 'postgres://me:hunter2@db.example/aerie',
        AERIE_MASTER_KEY: 'hunter2hunter2hunter2',
        AERIE_METRICS_TOKEN: 'hunter2hunter2hunter2',
      }),
    ),
  )
  expect(text).not.toContain('hunter2')
})

test.each([
  ['that another program has is named', false, 'Another program uses port 8189, which is WebRTC’s here.'],
  ['that is in use while the service runs may be its own', true, 'is in use: by this service, if somebody has watched'],
])('a port of WebRTC %s', (_name, isRunning, sentence) => {
  const [, taken] = about('listening', {}, { isRunning, isWebrtcPortTaken: true })
  expect(taken?.sentence).toContain(sentence)
  expect(taken?.advice).toContain('AERIE_WEBRTC_PORT')
})

test('what computes the models is told, and why it is not what was wanted', () => {
  expect(about('inference')).toEqual([{ level: 'ok', topic: 'inference', sentence: 'The CPU computes the models.' }])
  expect(about('inference', {}, { inference: { used: 'cuda' } })).toEqual([
    {
      level: 'ok',
      topic: 'inference',
      sentence: 'The models that you bring are computed by cuda, our own by the CPU.',
    },
  ])
  const problem = 'AERIE_INFERENCE=cuda does not work here, so the CPU computes the models: there is no driver.'
  expect(about('inference', {}, { inference: { used: 'cpu', problem } })).toMatchObject([
    { level: 'note', sentence: problem, advice: expect.stringContaining('docs/models.md') as string },
  ])
})
