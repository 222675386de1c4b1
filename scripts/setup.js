// Makes a fresh clone ready to run: npm packages when the lockfile changed, the build when the source did.
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a command to its end with its output shown on standard error; ends this program if it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
  if (result.error) fail(`${command} could not be started: ${result.error.message}`)
  if (result.status !== 0) fail(`${command} ${args.join(' ')} failed (exit ${result.status ?? result.signal})`)
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
function once(stamp, state, work) {
  const path = join(root, stamp)
  if (existsSync(path) && readFileSync(path, 'utf8') === state) return
  work()
  writeFileSync(path, state)
}

function installPackages() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const state = createHash('sha256').update(lock).update(process.version).digest('hex')
  once('node_modules/.aerie-installed', state, () => {
    say('installing npm packages (once; about a minute) …')
    // The build needs TypeScript, also where NODE_ENV is production.
    run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  })
}

function build() {
  const hash = createHash('sha256')
  for (const path of [...filesBelow('src'), 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json']) {
    hash.update(path).update(readFileSync(join(root, path)))
  }
  mkdirSync(join(root, 'dist'), { recursive: true })
  once('dist/.aerie-built', hash.digest('hex'), () => {
    say('building …')
    run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'])
  })
}

/** The web console, by Vite. */
function buildConsole() {
  const hash = createHash('sha256')
  const sources = [...filesBelow('console/src'), ...filesBelow('clients/typescript/src')]
  const settings = ['console/index.html', 'console/vite.config.ts', 'console/tsconfig.json', 'package-lock.json']
  for (const path of [...sources, ...settings]) hash.update(path).update(readFileSync(join(root, path)))
  mkdirSync(join(root, 'console/dist'), { recursive: true })
  once('console/dist/.aerie-built', hash.digest('hex'), () => {
    say('building the console …')
    run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel=warn', 'console'])
  })
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => !path.endsWith('.test.ts') && statSync(join(root, path)).isFile())
    .sort()
}

/** Everything that the service itself needs. */
export function setUp() {
  checkNode()
  installPackages()
  build()
  buildConsole()
}
