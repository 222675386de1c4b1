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

async function installTestTools() {
  const missing = Object.keys(testTools).filter((name) => !existsSync(testTools[name]))
  if (missing.length === 0) return
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!canInstall)
    fail(`the tests need ${missing.join(', ')}; install them (Debian: apt-get install ${missing.join(' ')})`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-q'], { env })
  await run('apt-get', ['install', '-yq', '--no-install-recommends', ...missing], { env })
}

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW, PRIORITY_NORMAL } = constants.priority
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const work = mkdtempSync(join(tmpdir(), 'aerie-test-'))

/** Resolves with the exit code and, where it is kept, the output. */
function ended(child) {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data))
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, output })))
}

/** Works beside the end-to-end tests and behind them: they wait for real time much of theirs. What it says is shown at the end. */
function startBeside(priority, command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  setPriority(child.pid, priority)
  return ended(child)
}

/** The runner's arguments for one of its projects; those of `npm test` choose files. */
function testArguments(project) {
  const reports = ['--reporter=default', '--reporter=json', `--outputFile=${join(work, project)}`]
  return [vitest, 'run', '--project', project, '--passWithNoTests', ...reports, ...process.argv.slice(2)]
}

/** What the runner counted. A file that could not even be loaded counts no test; it is a failure all the same. */
function countsOf(project, status) {
  const report = join(work, project)
  if (!existsSync(report)) return { passed: 0, failed: status === 0 ? 0 : 1, skipped: 0 }
  const counts = JSON.parse(readFileSync(report, 'utf8'))
  const unloaded = counts.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests + unloaded || (status === 0 ? 0 : 1),
    skipped: counts.numPendingTests + counts.numTodoTests,
  }
}

await setUp()
await installTestTools()

const checking = startBeside(PRIORITY_LOW, 'npm', ['run', '--silent', 'check'])
const unitTesting = startBeside(PRIORITY_BELOW_NORMAL, process.execPath, testArguments('unit'))
// By then there is room for a second running service beside the one of the end-to-end tests.
const attacking = unitTesting.then(() => startBeside(PRIORITY_NORMAL, process.execPath, testArguments('attacks')))
const e2e = await ended(spawn(process.execPath, testArguments('e2e'), { cwd: root, stdio: 'inherit' }))
const unit = await unitTesting
const attacks = await attacking
const check = await checking
process.stdout.write(unit.output + attacks.output + check.output)

const counts = [
  countsOf('e2e', e2e.status),
  countsOf('unit', unit.status),
  countsOf('attacks', attacks.status),
  { passed: 0, failed: check.status === 0 ? 0 : 1, skipped: 0 },
]
rmSync(work, { recursive: true, force: true })
if (check.status !== 0) console.log('npm run check failed; see above.')
const sum = (kind) => counts.reduce((total, count) => total + count[kind], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
process.exit(sum('failed') === 0 ? 0 : 1)
