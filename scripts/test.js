// `npm test`: everything, set-up included. Ends with one line: N passed, N failed, N skipped.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fail, root, run, setUp } from './setup.js'

/** Debian package → a file that is there once it is installed. Only tests need these. */
const testTools = {
  ffmpeg: '/usr/bin/ffmpeg',
  mosquitto: '/usr/sbin/mosquitto',
  'nats-server': '/usr/sbin/nats-server',
  openssl: '/usr/bin/openssl',
  chromium: '/usr/bin/chromium',
  postgresql: '/usr/lib/postgresql',
  python3: '/usr/bin/python3',
  unzip: '/usr/bin/unzip',
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

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const work = mkdtempSync(join(tmpdir(), 'aerie-test-'))

/** Runs some projects of the runner, with more of its arguments, and answers what it counted. */
async function runTests(name, projects, ...more) {
  const report = join(work, name)
  const options = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`]
  const args = [vitest, 'run', ...options, '--passWithNoTests', ...reporters, ...more]
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  const status = await new Promise((resolve) => child.on('close', resolve))
  return resultOf(name, report, status)
}

/** Has what the tests leave of the machine. What it says is shown at the end. */
function startBehind(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, output })))
}

/**
 * Tests on the running service that mostly wait: for what must not happen, or for time limits. One after the other beside the rest they
 * use what that leaves of two cores; measured, each takes no more than 0.6 of a core.
 */
const mostlyWaiting = [
  'test/attacks/contact-servers.test.ts',
  'test/attacks/disk-shares.test.ts',
  'test/attacks/http-before-authentication.test.ts',
  'test/attacks/media-shares.test.ts',
  'test/attacks/redirects.test.ts',
  'test/attacks/revoked-rights.test.ts',
  'test/attacks/rtmp-before-authentication.test.ts',
  'test/attacks/rtsp-before-authentication.test.ts',
  'test/attacks/stream-limits.test.ts',
  'test/attacks/tls-handshakes.test.ts',
  'test/attacks/webhook-spacing.test.ts',
  'test/attacks/wrong-credentials.test.ts',
  'test/e2e/alerts.test.ts',
  'test/e2e/encrypted.test.ts',
  'test/e2e/enhancement.test.ts',
  'test/e2e/hung-parts.test.ts',
  'test/e2e/media-rtmp.test.ts',
  'test/e2e/minutes.test.ts',
  'test/e2e/processes-bad-input.test.ts',
  'test/e2e/processes-recovery.test.ts',
  'test/e2e/pulled-cameras.test.ts',
  'test/e2e/silence.test.ts',
]

/** They need the whole machine: they measure what is left of it, or how soon it is back. */
const alone = ['test/e2e/full-machine.test.ts', 'test/e2e/chaos.test.ts', 'test/cluster/node-dies.test.ts']

/** Files that `npm test` was asked for; all when there are none. */
const chosen = process.argv.slice(2)

const onTheService = ['e2e', 'attacks', 'cluster']

/** Three files at a time, and beside them one of those that mostly wait; then those that need the machine for themselves. */
async function testTheService(checking) {
  if (chosen.length > 0) return [await runTests('service', onTheService, ...chosen)]
  const excluded = [...mostlyWaiting, ...alone].flatMap((file) => ['--exclude', file])
  const results = await Promise.all([
    runTests('service', onTheService, '--maxWorkers=3', ...excluded),
    runTests('waiting', onTheService, '--maxWorkers=1', ...mostlyWaiting),
  ])
  await checking
  return [...results, await runTests('alone', onTheService, '--maxWorkers=1', ...alone)]
}

/** What the runner counted, and a paragraph for each failure. A file that could not even be loaded counts no test; it is a failure all the same. */
function resultOf(name, report, status) {
  const unexplained = status === 0 ? [] : [`${name}: the runner ended with ${status}, see above`]
  if (!existsSync(report)) return { passed: 0, failures: unexplained, skipped: 0 }
  const counts = JSON.parse(readFileSync(report, 'utf8'))
  const failures = counts.testResults.filter((file) => file.status === 'failed').flatMap(failuresOf)
  return {
    passed: counts.numPassedTests,
    failures: failures.length > 0 ? failures : unexplained,
    skipped: counts.numPendingTests + counts.numTodoTests,
  }
}

function failuresOf(file) {
  const name = relative(root, file.name)
  if (file.assertionResults.length === 0) return [`${name}\n${firstLines(file.message)}`]
  return file.assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => `${name} > ${test.fullName}\n${firstLines(test.failureMessages.join('\n'))}`)
}

/** Enough to recognise a failure by: the whole of it stands where the test ran. */
function firstLines(text) {
  return text
    .split('\n')
    .slice(0, 12)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join('\n')
}

await setUp()
await installTestTools()

// Unit tests leave a third of the machine: they wait for threads, databases and sockets of their own.
const checking = startBehind('npm', ['run', '--silent', 'check'])
// Loading the modules anew for each of the files would take longer than the tests.
const unit = await runTests('unit', ['unit'], '--no-isolate', ...chosen)
const service = await testTheService(checking)
const check = await checking
process.stdout.write(check.output)

const checked = { passed: 0, failures: check.status === 0 ? [] : ['npm run check, see above'], skipped: 0 }
const results = [unit, ...service, checked]
rmSync(work, { recursive: true, force: true })
const failures = results.flatMap((result) => result.failures)
for (const failure of failures) console.log(`\nFAILED ${failure}`)
const sum = (kind) => results.reduce((total, result) => total + result[kind], 0)
console.log(`${sum('passed')} passed, ${failures.length} failed, ${sum('skipped')} skipped`)
process.exit(failures.length === 0 ? 0 : 1)
