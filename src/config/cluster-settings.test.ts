import { hostname } from 'node:os'
import { describe, expect, test } from 'vitest'
import { nodeNameOf, nodeRtspUrl, shownNatsUrls } from './cluster-settings.ts'
import { type Environment, loadConfig } from './config.ts'

const both = { AERIE_NATS_URL: 'nats://me:hunter2@a:4222', AERIE_DATABASE_URL: 'postgres://me@db/aerie' }
const clusterOf = (env: Environment) => loadConfig({ ...both, ...env }).cluster

test('without NATS it is a service of one node, whatever else is said of nodes', () =>
  expect(loadConfig({ AERIE_DATABASE_URL: both.AERIE_DATABASE_URL, AERIE_NODE_NAME: 'a' }).cluster).toBeUndefined())

test('with NATS and PostgreSQL it is a node of several', () => {
  expect(clusterOf({})).toEqual({
    natsUrls: ['nats://me:hunter2@a:4222'],
    natsCredentialsFile: undefined,
    natsPublish: [],
    nodeId: nodeNameOf(hostname()),
    labels: [],
    leaseMs: 15_000,
    rtspUrl: undefined,
  })
  expect(
    clusterOf({
      AERIE_NATS_URL: 'tls://a, nats://[::1]:4222',
      AERIE_NATS_PUBLISH: 'scenes,notifications',
      AERIE_NODE_NAME: 'north-1',
      AERIE_NODE_LABELS: 'site=north,gpu',
      AERIE_NODE_LEASE: '5',
      AERIE_NODE_RTSP_URL: 'rtsp://10.0.0.5:8554/',
    }),
  ).toMatchObject({
    natsUrls: ['tls://a', 'nats://[::1]:4222'],
    natsPublish: ['scenes', 'notifications'],
    nodeId: 'north-1',
    labels: ['site=north', 'gpu'],
    leaseMs: 5000,
    rtspUrl: 'rtsp://10.0.0.5:8554',
  })
})

test('a node that cannot be reached says so', () =>
  expect(clusterOf({ AERIE_NODE_RTSP_URL: 'off' })?.rtspUrl).toBeNull())

test.each([undefined, 'sqlite:/tmp/aerie.db'])('NATS with the database %s is refused with a sentence', (url) =>
  expect(() => loadConfig({ ...both, AERIE_DATABASE_URL: url })).toThrow(
    /AERIE_NATS_URL: .* share a PostgreSQL\. Set AERIE_DATABASE_URL/,
  ),
)

test.each([
  ['AERIE_NATS_URL', 'http://a'],
  ['AERIE_NATS_URL', 'nats://a/path'],
  ['AERIE_NATS_URL', ','],
  ['AERIE_NATS_URL', 'nats://me:one@a,nats://me:other@b'],
  ['AERIE_NATS_URL', 'nats://me:100%@a'],
  ['AERIE_NATS_CREDENTIALS', '/nowhere.creds'],
  ['AERIE_NATS_PUBLISH', 'true'],
  ['AERIE_NATS_PUBLISH', 'scenes,feeds'],
  ['AERIE_NODE_NAME', 'North'],
  ['AERIE_NODE_NAME', '-a'],
  ['AERIE_NODE_NAME', 'a'.repeat(64)],
  ['AERIE_NODE_LABELS', 'a b'],
  ['AERIE_NODE_LABELS', Array.from({ length: 33 }, (_, n) => `label${n}`).join(',')],
  ['AERIE_NODE_LEASE', '2'],
  ['AERIE_NODE_LEASE', '301'],
  ['AERIE_NODE_RTSP_URL', 'http://a'],
  ['AERIE_NODE_RTSP_URL', 'rtsp://a/path'],
])('%s=%s is a wrong setting', (name, value) =>
  expect(() => loadConfig({ ...both, [name]: value })).toThrow(new RegExp(`^Wrong settings:\n {2}- ${name}: .+$`)),
)

test('passwords and tokens of NATS are shown nowhere', () => {
  expect(() => loadConfig({ ...both, AERIE_NATS_URL: 'nats://hunter2@a/x' })).toThrow(/^(?!.*hunter2)/s)
  const several = 'nats://me:hunter2@a,nats://you:hunter2@b'
  expect(() => loadConfig({ ...both, AERIE_NATS_URL: several })).toThrow(
    /AERIE_NATS_URL: .* several users(?!.*hunter2)/s,
  )
  expect(shownNatsUrls(clusterOf({ AERIE_NATS_URL: 'nats://t0ken@a,nats://b' })!)).toEqual(['nats://***@a', 'nats://b'])
  expect(shownNatsUrls(clusterOf({ AERIE_NATS_URL: 'nats://me:hunter2@b' })!)).toEqual(['nats://me:***@b'])
})

test.each([
  ['aerie-0', 'aerie-0'],
  ['Box_7.example.org', 'box-7-example-org'],
  ['..x..', 'x'],
  ['日本', 'node'],
  [`${'a'.repeat(62)}.b`, 'a'.repeat(62)],
])('the machine %s is the node %s', (host, name) => expect(nodeNameOf(host)).toBe(name))

describe('the address of the RTSP port', () => {
  test.each([
    ['as the operator says', 'rtsp://far:1', '0.0.0.0', 8554, 'rtsp://far:1'],
    ['none where it cannot be reached', null, '0.0.0.0', 8554, null],
    ['none where plain RTSP is closed', undefined, '0.0.0.0', undefined, null],
    ['where we listen', undefined, '127.0.0.1', 8554, 'rtsp://127.0.0.1:8554'],
    ['also by IPv6', undefined, 'fd00::7', 8554, 'rtsp://[fd00::7]:8554'],
  ] as const)('is %s', (_name, rtspUrl, host, rtspPort, expected) =>
    expect(nodeRtspUrl({ rtspUrl }, host, { rtspPort })).toBe(expected),
  )

  test('is one of this machine where we listen on all', () => {
    const url = nodeRtspUrl({ rtspUrl: undefined }, '0.0.0.0', { rtspPort: 8554 })!
    expect(url).toMatch(/^rtsp:\/\/[^/]+:8554$/)
    expect(new URL(url).hostname).not.toMatch(/^(0\.0\.0\.0|127\.)/)
  })
})
