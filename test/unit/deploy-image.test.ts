import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { copiesOf, readDockerIgnore, readDockerStages, root } from '../support/deploy-files.ts'
import { freePort } from '../support/free-port.ts'
import { startS3Server } from '../support/s3-server.ts'

const stages = readDockerStages()
const image = stages.at(-1)!
const isInContext = readDockerIgnore()
const run = promisify(execFile)
const program = (name: string) => join(root, 'deploy', name)

function filesBelow(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .map((name) => `${path}/${name}`)
    .filter((name) => !/(^|\/)(node_modules|dist)\//.test(name) && statSync(join(root, name)).isFile())
}

test('all that the Dockerfile copies is in the repository, and not ignored', () => {
  const sources = stages.flatMap((stage) => copiesOf(stage).filter(({ from }) => from === undefined))
  expect(sources.length).toBeGreaterThan(10)
  for (const path of sources.flatMap((copied) => copied.sources)) {
    const name = path.replace(/\/$/, '')
    expect(existsSync(join(root, name)), name).toBe(true)
    const left = filesBelow(name).filter((file) => !/\.test\.ts$/.test(file) && !isInContext(file))
    expect(left).toEqual([])
  }
})

test('nothing of this machine comes into an image', () => {
  const own = [
    'data/master.key',
    '.git/config',
    'node_modules/zod/package.json',
    'console/node_modules/x/y.js',
    'config.yml',
  ]
  const built = ['dist/cli.js', 'console/dist/index.html', 'deploy/.env', 'deploy/.env.local', 'src/app.test.ts']
  for (const path of [...own, ...built]) expect(isInContext(path), path).toBe(false)
})

test('the image has every folder that programs look for beside themselves', () => {
  const copied = copiesOf(image).flatMap(({ sources, target, from }) => (from === undefined ? sources : [target]))
  const wanted = filesBelow('src')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return [...text.matchAll(/new URL\('((?:\.\.\/)+)([\w./-]+)', import\.meta\.url\)/g)]
        .filter(([, up]) => file.split('/').length - 1 === up!.length / 3)
        .map(([, , path]) => path!)
    })
  expect(wanted).toEqual(expect.arrayContaining(['package.json', 'models/', 'player/', 'console/dist/']))
  const isThere = (path: string) => copied.some((one) => path === one || path.startsWith(`${one}/`))
  expect(wanted.filter((path) => !isThere(path.replace(/\/$/, '')))).toEqual([])
  expect(['bin', 'dist', 'node_modules'].filter((path) => !isThere(path))).toEqual([])
})

test('the image has packages of the service only, and starts it as somebody who is not root', () => {
  const names = stages.map((stage) => / AS (\w+)$/.exec(stage[0]!.text)?.[1])
  const packages = stages[names.indexOf('packages')]!
  const from = copiesOf(image).find(({ target }) => target === 'node_modules')?.from
  expect(from).toBe('packages')
  expect(packages.filter(({ text }) => /npm ci/.test(text)).map(({ text }) => text)).toEqual([
    expect.stringContaining('--omit=dev --ignore-scripts'),
  ])
  const last = (name: string) => image.findLast((instruction) => instruction.name === name)!.text
  expect(Number(last('USER').split(':')[0])).toBeGreaterThan(0)
  expect(JSON.parse(last('ENTRYPOINT'))).toEqual(['/usr/bin/tini', '--', 'node', 'bin/aerie.js'])
  expect(JSON.parse(last('CMD'))).toEqual(['serve'])
  expect(stages.map((stage) => stage[0]!.text)).toEqual(stages.map(() => expect.stringMatching(/^\$\{BASE_IMAGE\}/)))
})

test('nothing is downloaded but from npm and Debian', () => {
  const commands = stages.flat().filter(({ name }) => name === 'RUN' || name === 'ADD')
  expect(commands.length).toBeGreaterThan(3)
  for (const { text } of commands) expect(text).not.toMatch(/https?:|curl|wget|npx|git clone/)
})

async function checkHealth(server: Server | undefined): Promise<number> {
  const port = server ? (server.address() as AddressInfo).port : await freePort()
  const env = { ...process.env, AERIE_HTTP_PORT: String(port) }
  return run(process.execPath, [program('healthcheck.js')], { env }).then(
    () => 0,
    ({ code }: { code: number }) => code,
  )
}

test.each([
  ['answers', 200, 0],
  ['refuses', 503, 1],
])('a service that %s', async (_name, status, code) => {
  const paths: (string | undefined)[] = []
  const server = createServer((request, response) => {
    paths.push(request.url)
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  expect(await checkHealth(server)).toBe(code)
  expect(paths).toEqual(['/healthz'])
})

test('a service that does not listen is not healthy', async () => expect(await checkHealth(undefined)).toBe(1))

test('the bucket is made, once, by whom the object store knows', async () => {
  const store = await startS3Server()
  onTestFinished(() => store.remove())
  const make = (change: Record<string, string>) => {
    const env = { ...process.env, ...store.settings, ...change }
    return run(process.execPath, [program('make-bucket.js')], { env })
  }
  const other = store.url.replace(/[^/]+$/, 'new-one/prefix')
  const bucket = other.replace(/\/prefix$/, '')
  expect((await fetch(bucket, { method: 'HEAD' })).status).toBe(404)
  expect((await make({ AERIE_OBJECT_STORE_URL: other })).stdout).toBe('new-one is there\n')
  expect((await fetch(bucket, { method: 'HEAD' })).status).not.toBe(404)
  const [again, byOthers] = await Promise.allSettled([
    make({ AERIE_OBJECT_STORE_URL: other }),
    make({ AERIE_OBJECT_STORE_SECRET: 'of-somebody-else' }),
  ])
  expect(again).toMatchObject({ status: 'fulfilled', value: { stdout: 'new-one is there\n' } })
  expect(byOthers).toMatchObject({ status: 'rejected', reason: { stderr: expect.stringContaining('(403)') } })
})
