/** `aerie demo --nodes 3 --kill`, as a user starts it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childrenOf, isRunning } from '../support/child-processes.ts'
import { until } from '../support/until.ts'

const program = join(import.meta.dirname, '../../bin/aerie.js')
const foldersOf = () => readdirSync(tmpdir()).filter((name) => name.startsWith('aerie-nodes-'))

let demo: ChildProcess
let output = ''
let before: string[]
beforeAll(async () => {
  before = foldersOf()
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AERIE_')))
  demo = spawn(process.execPath, [program, 'demo', '--nodes', '3', '--kill-after', '3'], {
    env: { ...inherited, AERIE_NODE_LEASE: '4' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [demo.stdout!, demo.stderr!]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(async () => output.includes('Ctrl-C') || demo.exitCode !== null, 110_000)
})
afterAll(() => void demo.kill('SIGKILL'))

test('a killed node’s process goes on at another, as the console of the third shows, and Ctrl-C leaves nothing', async () => {
  expect(output).toMatch(/node-1 {2}\S+ {2}the camera publishes to it\n/)
  expect(output).toMatch(/node-\d {2}\S+ {2}detects people in it\n/)
  const [, origin, code] = /(http:\/\/localhost:\d+)\/#\/sign-in\?code=(\S+)/.exec(output)!
  const session = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const cookie = session.headers.get('set-cookie')!.split(';')[0]!
  const ask = async <T>(path: string) => (await (await fetch(origin + path, { headers: { cookie } })).json()) as T
  const [process] = await ask<{ process_uuid: string; labels: string[] }[]>('/processes?state=live')
  expect(process!.labels).toEqual(['detection'])

  await until(async () => output.includes('it goes on at') || demo.exitCode !== null, 60_000)
  const [, dead] = /(node-[23]) was killed, with the process on it/.exec(output)!
  const heir = dead === 'node-2' ? 'node-3' : 'node-2'
  expect(output).toContain(`the others have declared ${dead} dead.`)
  expect(output).toContain(`${heir} has the process.`)
  expect(output).toContain(`it goes on at ${heir}, under the same process_uuid`)
  expect(await ask(`/nodes/${heir}/processes`)).toMatchObject([{ process_uuid: process!.process_uuid }])

  const [pid, folder] = [demo.pid!, foldersOf().find((name) => !before.includes(name))!]
  const started = childrenOf(pid, '')
  // NATS, PostgreSQL, two nodes and the camera.
  expect(started.length).toBeGreaterThanOrEqual(5)
  const all = [...started, ...started.flatMap((child) => childrenOf(child, ''))]
  demo.kill('SIGINT')
  await until(async () => demo.exitCode !== null)
  expect(demo.exitCode).toBe(0)
  expect(all.filter(isRunning)).toEqual([])
  expect(existsSync(join(tmpdir(), folder))).toBe(false)
})
