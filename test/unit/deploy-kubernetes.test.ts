import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Settings } from '../../src/config/settings.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { readYaml } from '../support/deploy-files.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

// Manifests are looked into, not trusted.
/* eslint-disable @typescript-eslint/no-explicit-any */
const kustomization = readYaml('kubernetes/kustomization.yml')[0] as any
const applied = (kustomization.resources as string[]).flatMap((file) => readYaml(`kubernetes/${file}`)) as any[]
const secrets = readYaml('kubernetes/secrets.example.yml') as any[]
const all = [...applied, ...secrets]

const named = (kind: string, name: string) => all.find((one) => one.kind === kind && one.metadata.name === name)
const ofKind = (kind: string) => all.filter((one) => one.kind === kind)
const sets = ofKind('StatefulSet')
const node = named('StatefulSet', 'aerie')
const pod = node.spec.template.spec
const container = pod.containers[0]
const settings = named('ConfigMap', 'aerie').data as Record<string, string>
const secret = named('Secret', 'aerie').stringData as Record<string, string>
/* eslint-enable @typescript-eslint/no-explicit-any */

const folder = useTemporaryFolder('aerie-kubernetes-')
let app: TestApp
beforeAll(async () => void (app = await createTestApp()))
afterAll(() => app.remove())

test('every object has a kind, a name, and the namespace of all', () => {
  expect(all.length).toBeGreaterThan(12)
  for (const { apiVersion, kind, metadata } of all) {
    expect([apiVersion, kind, metadata.name].every((text) => typeof text === 'string')).toBe(true)
    if (metadata.namespace !== undefined) expect(metadata.namespace).toBe(kustomization.namespace)
  }
  expect(ofKind('Namespace').map(({ metadata }) => metadata.name)).toEqual([kustomization.namespace])
  expect(container.image).toBe(kustomization.images[0].name)
})

test('every setting is one, and what is given is taken', () => {
  const own = container.env.map(({ name }: { name: string }) => name) as string[]
  const names = [...Object.keys(settings), ...Object.keys(secret), ...own]
  expect(names.filter((name) => !(name in Settings.shape))).toEqual([])
  expect(own).toContain('AERIE_NODE_NAME')
  const given = { ...settings, AERIE_NODE_NAME: `${node.metadata.name}-0`, AERIE_WEBRTC_HOST: '192.0.2.10' }
  expect(Settings.safeParse(given).error).toBeUndefined()
})

test('nothing starts with the secrets of the example', () => {
  for (const [name, value] of Object.entries(secret))
    expect(Settings.safeParse({ [name]: value }).success, name).toBe(false)
  const { stringData } = named('Secret', 'nats')
  const good = { NATS_PASSWORD: '0123e45', NATS_ROUTE_PASSWORD: '99e9' }
  expect(startNats(good)).toBe(0)
  for (const name of Object.keys(good)) expect(startNats({ ...good, [name]: stringData[name] }), name).toBe(1)
})

/** The exit code of its check, with the environment that its container would have. */
function startNats(passwords: Record<string, string>): number | null {
  const file = join(folder(), 'nats.conf')
  writeFileSync(file, named('ConfigMap', 'nats').data['nats.conf'])
  const { env } = named('StatefulSet', 'nats').spec.template.spec.containers[0]
  const known: Record<string, string> = {}
  for (const { name, value, valueFrom } of env) {
    if (valueFrom) known[name] = passwords[valueFrom.secretKeyRef.key]!
    else known[name] = value.replaceAll(/\$\((\w+)\)/g, (_all: string, other: string) => known[other])
  }
  return spawnSync('/usr/sbin/nats-server', ['-t', '-c', file], { env: known }).status
}

describe.each(sets.map((set) => [set.metadata.name as string, set] as const))('the StatefulSet %s', (_name, set) => {
  const { spec } = set.spec.template
  const [only] = spec.containers

  test('refers to what there is', () => {
    for (const { configMapRef, secretRef } of only.envFrom ?? []) {
      if (configMapRef) expect(named('ConfigMap', configMapRef.name)).toBeDefined()
      if (secretRef) expect(named('Secret', secretRef.name)).toBeDefined()
    }
    for (const { valueFrom } of only.env)
      if (valueFrom?.secretKeyRef)
        expect(named('Secret', valueFrom.secretKeyRef.name).stringData).toHaveProperty(valueFrom.secretKeyRef.key)
    const claims = (set.spec.volumeClaimTemplates ?? []).map((claim: { metadata: object }) => claim.metadata)
    const volumes = [...(spec.volumes ?? []), ...claims].map(({ name }) => name)
    expect(only.volumeMounts.map(({ name }: { name: string }) => name).sort()).toEqual(volumes.sort())
    for (const { configMap } of spec.volumes) if (configMap) expect(named('ConfigMap', configMap.name)).toBeDefined()
  })

  test('has a headless Service that finds its pods before they are ready, and a budget of one', () => {
    const labels = set.spec.template.metadata.labels
    expect(set.spec.selector.matchLabels).toEqual(labels)
    const service = named('Service', set.spec.serviceName)
    expect(service.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true, selector: labels })
    const budget = named('PodDisruptionBudget', set.metadata.name)
    expect(budget.spec).toMatchObject({ maxUnavailable: 1, selector: { matchLabels: labels } })
    const { podAntiAffinity } = spec.affinity
    expect(JSON.stringify(podAntiAffinity)).toContain(JSON.stringify(labels))
  })

  test('starts nobody as root, gives no token, and puts no variables for Services beside the settings', () => {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(only.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true })
    expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
  })
})

test('Services lead to ports that their pods have', () => {
  const services = ofKind('Service')
  expect(services.length).toBeGreaterThan(3)
  for (const { metadata, spec } of services) {
    const set = sets.find(({ spec: { template } }) => sameLabels(template.metadata.labels, spec.selector))
    const ports = set?.spec.template.spec.containers[0].ports as { name: string; containerPort: number }[]
    for (const { port, targetPort } of spec.ports)
      expect(ports.find(({ name }) => name === targetPort)?.containerPort, `${metadata.name} ${targetPort}`).toBe(port)
  }
})

const sameLabels = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

test('the ports are those of the service', () => {
  const defaults = Settings.parse({})
  const portOf = (wanted: string) =>
    container.ports.find(({ name }: { name: string }) => name === wanted).containerPort as number
  expect(portOf('http')).toBe(defaults.AERIE_HTTP_PORT)
  expect(portOf('rtsp')).toBe(defaults.AERIE_RTSP_PORT)
  expect(portOf('rtmp')).toBe(defaults.AERIE_RTMP_PORT)
  expect([portOf('webrtc-udp'), portOf('webrtc-tcp')]).toEqual([defaults.AERIE_WEBRTC_PORT, defaults.AERIE_WEBRTC_PORT])
  // Browsers send to the port that the node names.
  for (const { hostPort, containerPort } of container.ports)
    if (hostPort !== undefined) expect(hostPort).toBe(containerPort)
})

test('probes ask what anybody may, whatever host they name, and only readiness asks for the database', async () => {
  const { startupProbe, livenessProbe, readinessProbe } = container
  for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
    expect(httpGet.port).toBe('http')
    const answer = await app.call('GET', httpGet.path, { headers: { host: '10.42.0.7:8080' } })
    expect(Object.keys(answer.body)).toContain('status')
  }
  expect((await app.call('GET', livenessProbe.httpGet.path)).body).toEqual({ status: 'ok' })
  expect((await app.call('GET', readinessProbe.httpGet.path)).body.checks).toHaveProperty('database')
  expect(startupProbe.httpGet.path).toBe(livenessProbe.httpGet.path)
})

test('an upgrade can begin with all nodes stopped, and a node has the time that it needs to stop', () => {
  expect(node.spec).toMatchObject({ podManagementPolicy: 'Parallel', updateStrategy: { type: 'OnDelete' } })
  const waitS = Number(container.lifecycle.preStop.exec.command[1])
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(waitS + 10)
  expect(container.args).toEqual(['serve'])
})
