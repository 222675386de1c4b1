// Makes a fresh clone ready to run: npm packages when the lockfile changed, the build when the source did.
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Runs a command to its end with its output shown on standard error; ends this program if it fails, and is ended with it. */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
  let isStopped = false
  const stop = (signal) => {
    isStopped = true
    child.kill(signal)
  }
  for (const signal of stopSignals) process.on(signal, stop)
  const outcome = await new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code, signal) => resolve(code ?? signal))
  })
  for (const signal of stopSignals) process.off(signal, stop)
  if (isStopped) process.exit(1)
  if (outcome !== 0) fail(`${command} ${args.join(' ')} failed (${outcome})`)
}

export function fail(sentence) {
  process.stderr.write(`aerie: ${sentence}\n`)
  process.exit(1)
}

function say(sentence) {
  process.stderr.write(`aerie: ${sentence}\n`)
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node ${process.versions.node} is too old; install Node 20.19 or newer and try again.`)
  }
}

/** Does `work` unless `stamp` says that it was done for exactly this state. */
async function once(stamp, state, work) {
  const path = join(root, stamp)
  if (existsSync(path) && readFileSync(path, 'utf8') === state) return
  await work()
  writeFileSync(path, state)
}

async function installPackages() {
  // A link leads to packages that others use too, which `npm ci` would begin by removing.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) return
  const lock = readFileSync(join(root, 'package-lock.json'))
  const state = createHash('sha256').update(lock).update(process.version).digest('hex')
  await once('node_modules/.aerie-installed', state, async () => {
    say('installing npm packages (once; about a minute) …')
    const files = Object.entries(JSON.parse(lock).packages)
      .filter(([path, { os, cpu }]) => path && isForHere(os, process.platform) && isForHere(cpu, process.arch))
      .map(([path]) => join(root, path, 'package.json'))
    const stop = showProgress(() => files.filter((file) => existsSync(file)).length, files.length)
    // The build needs packages that only developers have, also where NODE_ENV is production.
    await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'])
    stop()
  })
}

const isForHere = (names, name) => !names || names.includes(name)

/** Says how many there are: in place on a terminal, else now and then in a line. Returns the function that ends it. */
function showProgress(count, total) {
  const { isTTY } = process.stderr
  const show = () => process.stderr.write(`${isTTY ? '\r' : ''}aerie:   ${count()} of ${total} …${isTTY ? '' : '\n'}`)
  const timer = setInterval(show, isTTY ? 500 : 10_000)
  return () => {
    clearInterval(timer)
    if (isTTY) process.stderr.write('\n')
  }
}

async function build() {
  // What is compiled beforehand is for this version of Node.
  const hash = createHash('sha256').update(process.version)
  for (const path of [...filesBelow('src'), 'scripts/bundle.js', 'scripts/run-compiled.js', 'package-lock.json']) {
    hash.update(path).update(readFileSync(join(root, path)))
  }
  mkdirSync(join(root, 'dist'), { recursive: true })
  await once('dist/.aerie-built', hash.digest('hex'), async () => {
    say('building …')
    const { bundlePrograms } = await import('./bundle.js')
    await bundlePrograms()
  })
}

/** The web console, by Vite. */
async function buildConsole() {
  const hash = createHash('sha256')
  const sources = [...filesBelow('console/src'), ...filesBelow('player'), ...filesBelow('clients/typescript/src')]
  const settings = ['console/index.html', 'console/vite.config.ts', 'console/tsconfig.json', 'package-lock.json']
  for (const path of [...sources, ...settings]) hash.update(path).update(readFileSync(join(root, path)))
  mkdirSync(join(root, 'console/dist'), { recursive: true })
  await once('console/dist/.aerie-built', hash.digest('hex'), async () => {
    say('building the console …')
    await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel=warn', 'console'])
  })
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => !path.endsWith('.test.ts') && statSync(join(root, path)).isFile())
    .sort()
}

/** Everything that the service itself needs. */
export async function setUp() {
  checkNode()
  await installPackages()
  await Promise.all([build(), buildConsole()])
}
