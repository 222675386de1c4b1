// `npm test`: everything, set-up included. Ends with one line: N passed, N failed, N skipped.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, root, run, setUp } from './setup.js'

/** Debian package → a file that is there once it is installed. Only tests need these. */
const testTools = {
  ffmpeg: '/usr/bin/ffmpeg',
  mosquitto: '/usr/sbin/mosquitto',
  openssl: '/usr/bin/openssl',
  chromium: '/usr/bin/chromium',
  postgresql: '/usr/lib/postgresql',
  python3: '/usr/bin/python3',
}

function installTestTools() {
  const missing = Object.keys(testTools).filter((name) => !existsSync(testTools[name]))
  if (missing.length === 0) return
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!canInstall)
    fail(`the tests need ${missing.join(', ')}; install them (Debian: apt-get install ${missing.join(' ')})`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  run('apt-get', ['update', '-q'], { env })
  run('apt-get', ['install', '-yq', '--no-install-recommends', ...missing], { env })
}

/** Beside the tests and behind them: they wait for real time much of theirs. What it says is shown at the end. */
async function startCheck() {
  const child = spawn('npm', ['run', '--silent', 'check'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  return { ...(await ended(child)), output }
}

/** Resolves with the exit code. */
function ended(child) {
  return new Promise((resolve) => child.on('close', (status) => resolve({ status })))
}

setUp()
installTestTools()

const checking = startCheck()
const work = mkdtempSync(join(tmpdir(), 'aerie-test-'))
const report = join(work, 'report.json')
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${report}`,
]
const tests = await ended(
  spawn(process.execPath, [...vitest, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' }),
)
const check = await checking
process.stdout.write(check.output)

const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
rmSync(work, { recursive: true, force: true })
if (check.status !== 0) console.log('npm run check failed; see above.')
if (!counts) fail('the test runner died before it could report.')
// A file that could not even be loaded counts no test; it is a failure all the same.
const failed = counts.numFailedTests || (tests.status === 0 ? 0 : 1)
console.log(
  `${counts.numPassedTests} passed, ${failed + (check.status === 0 ? 0 : 1)} failed, ${counts.numPendingTests + counts.numTodoTests} skipped`,
)
process.exit(check.status === 0 && tests.status === 0 ? 0 : 1)
