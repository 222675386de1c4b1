import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Settings } from '../../src/config/settings.ts'
import { nodeSubject, SERVICE_SUBJECT } from '../../src/cluster/subjects.ts'
import { readDeployed, readDockerStages, readYaml, root } from '../support/deploy-files.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

interface Service {
  readonly image: string
  readonly hostname?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly profiles?: readonly string[]
  readonly environment?: Readonly<Record<string, string | number>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address: string }>>
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>
  readonly stop_grace_period?: string
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly networks: Readonly<Record<string, unknown>>
}

const folder = useTemporaryFolder('aerie-compose-')
const compose = readYaml('compose.yml')[0] as Compose
const services = Object.entries(compose.services)
const nodes = services.filter(([, { environment = {} }]) => 'AERIE_NODE_NAME' in environment)
const nginx = readDeployed('nginx.conf')
const isSetting = (name: string) => name in Settings.shape
const settingsIn = (text: string) => [...text.matchAll(/\bAERIE_[A-Z_]+\b/g)].map(([name]) => name)
const namesOf = (given: readonly string[] | Readonly<Record<string, unknown>> = []) =>
  Array.isArray(given) ? (given as string[]) : Object.keys(given)

/** With what `.env` would hold. */
function filledIn(text: string | number, values: Readonly<Record<string, string>>): string {
  return String(text).replaceAll(/\$\{(\w+)(:[-?][^}]*)?\}/g, (_all, name: string) => values[name] ?? '')
}

const secrets = {
  AERIE_MASTER_KEY: '0123456789abcdef0123456789abcdef',
  POSTGRES_PASSWORD: '0123e45',
  NATS_PASSWORD: '0123e45',
}
const filled: Record<string, string> = {
  ...secrets,
  AERIE_PUBLIC_URL: 'http://192.0.2.10:8080',
  AERIE_WEBRTC_HOST: '192.0.2.10',
}

test('there are three nodes, whose settings the service takes', () => {
  expect(nodes).toHaveLength(3)
  for (const [name, { environment = {} }] of nodes) {
    const given = Object.entries(environment).map(([key, value]) => [key, filledIn(value, filled)])
    const settings = Settings.parse(Object.fromEntries(given.filter(([, value]) => value !== '')))
    expect(settings.AERIE_NODE_NAME).toBe(name)
    expect(settings.AERIE_DATABASE_URL).toBe('postgres://aerie:0123e45@postgres:5432/aerie')
    expect(settings.AERIE_NATS_URL).toEqual(['nats://aerie:0123e45@nats:4222'])
  }
  expect(new Set(nodes.map(([, { hostname }]) => hostname)).size).toBe(3)
})

test('every setting that is named anywhere in deploy/ is one', () => {
  const files = [
    'compose.yml',
    'env.example',
    'nginx.conf',
    'Dockerfile',
    'aerie.service',
    'healthcheck.js',
    'make-bucket.js',
  ]
  const named = files.flatMap((file) => settingsIn(readDeployed(file)))
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !isSetting(name))).toEqual([])
})

test('nothing starts with a secret that stands in the repository', () => {
  const example = readDeployed('env.example').match(/^[A-Z_]+=.*$/gm)!
  expect(example.filter((line) => !line.endsWith('='))).toEqual([])
  const required = readDeployed('compose.yml').match(/\$\{(AERIE_MASTER_KEY|POSTGRES_PASSWORD|NATS_PASSWORD)[^}]*\}/g)!
  expect(required.length).toBeGreaterThan(4)
  expect(required.filter((text) => !text.includes(':?'))).toEqual([])
  for (const [name, { environment = {} }] of services)
    for (const [key, value] of Object.entries(environment))
      if (/KEY|PASSWORD|SECRET/.test(key)) expect(String(value), `${name} ${key}`).toMatch(/^"?\$\{\w+:[-?][^}]*\}"?$/)
})

test('what the services refer to is there', () => {
  for (const [name, { volumes = [], networks, depends_on: needs, build }] of services) {
    for (const volume of volumes) {
      const [source = ''] = volume.split(':')
      const isThere = source.startsWith('./') ? existsSync(join(root, 'deploy', source)) : source in compose.volumes
      expect(isThere, `${name}: ${source}`).toBe(true)
    }
    expect(namesOf(networks).filter((network) => !(network in compose.networks))).toEqual([])
    expect(namesOf(needs).filter((need) => !(need in compose.services))).toEqual([])
    if (build) expect(existsSync(join(root, 'deploy', build.context, build.dockerfile))).toBe(true)
  }
  const used = new Set(services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]!)))
  expect(Object.keys(compose.volumes).filter((volume) => !used.has(volume))).toEqual([])
})

const addressOf = ({ networks }: Service) =>
  (networks as Readonly<Record<string, { readonly ipv4_address: string }>>)['aerie']!.ipv4_address

test('the balancer sends to each node, at the ports of the service, which the image opens', () => {
  const defaults = Settings.parse({})
  const ports = [defaults.AERIE_HTTP_PORT, defaults.AERIE_RTSP_PORT, defaults.AERIE_RTMP_PORT]
  const wanted = ports.flatMap((port) => nodes.map(([, node]) => `${addressOf(node)}:${port}`))
  expect([...nginx.matchAll(/^\s+server ([\d.]+:\d+) /gm)].map(([, server]) => server)).toEqual(wanted)
  expect([...nginx.matchAll(/^\s+listen (\d+);/gm)].map(([, port]) => Number(port))).toEqual(ports)
  const balancer = compose.services['balancer']!
  expect(balancer.ports).toEqual(ports.map((port) => `${port}:${port}`))
  for (const [, { environment = {} }] of nodes) expect(environment['AERIE_TRUST_PROXY']).toBe(addressOf(balancer))
  const exposed = readDockerStages()
    .at(-1)!
    .filter(({ name }) => name === 'EXPOSE')
    .flatMap(({ text }) => text.split(' '))
  const { AERIE_WEBRTC_PORT: webrtc } = defaults
  const byTls = [defaults.AERIE_RTSPS_PORT, defaults.AERIE_RTMPS_PORT]
  expect(exposed.sort()).toEqual([...[...ports, ...byTls, webrtc].map((port) => `${port}/tcp`), `${webrtc}/udp`].sort())
})

test('each node has a port for WebRTC that is the same inside and outside', () => {
  const ports = nodes.map(([, { environment = {}, ports: open }]) => {
    const port = Number(environment['AERIE_WEBRTC_PORT'])
    expect(open).toEqual([`${port}:${port}/udp`, `${port}:${port}/tcp`])
    return port
  })
  expect(new Set(ports).size).toBe(3)
})

test('keys and tokens in addresses stay out of the logs of the balancer, and the header of the key comes through', () => {
  const format = /log_format \w+ '([^']+)'/.exec(nginx)![1]!
  expect(format).not.toMatch(/\$request\b|\$request_uri|\$args|\$query_string|\$is_args|\$http_/)
  expect(nginx).toMatch(/^\s+error_log \S+ crit;/m)
  expect(nginx).toMatch(/underscores_in_headers on;/)
})

test('NATS takes its file with any password, and lets nodes say what they say and nothing else', () => {
  const file = join(folder(), 'nats.conf')
  const text = readDeployed('nats.conf')
  writeFileSync(file, text)
  const given = filledIn(compose.services['nats']!.environment!['NATS_PASSWORD']!, filled)
  const check = (password: string | undefined) =>
    spawnSync('/usr/sbin/nats-server', ['-t', '-c', file], { env: { ...(password && { NATS_PASSWORD: password }) } })
      .status
  expect([check(given), check(undefined)]).toEqual([0, 1])
  const [, allowed] = /publish: \["([^"]+)\.>"/.exec(text)!
  for (const subject of [SERVICE_SUBJECT, nodeSubject('north-1')]) expect(subject.startsWith(`${allowed}.`)).toBe(true)
})

test('systemd starts what is there, and waits for longer than a stop takes', () => {
  const unit = readDeployed('aerie.service')
  const [, program, command] = /^ExecStart=\/usr\/bin\/node (\S+) (\w+)$/m.exec(unit)!
  expect(existsSync(join(root, program!))).toBe(true)
  expect(command).toBe('serve')
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1])).toBeGreaterThan(10)
})
