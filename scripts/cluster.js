// `npm run cluster [FILES…]`: several nodes at length: `test/cluster` with outages as long as the documents promise, and the end-to-end
// tests with two nodes behind a balancer in place of the one service.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root, setUp } from './setup.js'

/** What two nodes have no part in, or what is about one machine. */
const ofOneMachine = {
  'chaos.test.ts': 'breaks the parts of one machine; what nodes do to each other is in test/cluster',
  'command-line.test.ts': 'commands on a data folder with SQLite in it',
  'console-states.test.ts': 'the console before a service that is made up',
  'console.test.ts': 'the demo, which starts its own service',
  'encrypted.test.ts': 'the certificate of one machine; the balancer speaks no TLS',
  'enhancement.test.ts': 'writes the pictures of a report into the SQLite and the folder of one machine',
  'full-machine.test.ts': 'measures what is left of one machine',
  'hung-parts.test.ts': 'how one machine finds which of its parts hangs',
  'last-night.test.ts': 'a machine whose clock is wrong by hours; those of nodes are within a minute',
  'locked-database.test.ts': 'locks the file of SQLite; a PostgreSQL that is away is in test/cluster/outages.test.ts',
  'machine.test.ts': 'what a machine says of itself and of its models',
  'media-rtmp.test.ts': 'the RTMP server alone, without a service',
  'media-rtsp.test.ts': 'the RTSP server alone, without a service',
  'restore.test.ts': 'backups are of SQLite',
  'rtmp-pull.test.ts': 'the RTMP client alone, without a service',
  'service.test.ts': 'how one machine starts and ends, in a data folder of its own',
  'still-scene.test.ts': 'a pipeline alone, without a service',
  'webrtc-port.test.ts': 'the ports of one machine',
}

const OUTAGE_MS = 60_000

function runTests(project, env, ...more) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--maxWorkers=1', '--passWithNoTests']
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }
  return spawnSync(process.execPath, [...args, ...more], options).status === 0
}

const files = Object.keys(ofOneMachine).map((name) => `test/e2e/${name}`)
const missing = files.filter((file) => !existsSync(join(root, file)))
if (missing.length > 0) fail(`${missing.join(', ')}: named here, and not there any more`)

await setUp()
const chosen = process.argv.slice(2)
const atLength = { AERIE_CLUSTER_OUTAGE_MS: String(OUTAGE_MS) }
const excluded = files.flatMap((file) => ['--exclude', file])
const passed = [
  runTests('cluster', atLength, '--testTimeout=300000', ...chosen),
  runTests('e2e', { AERIE_TEST_NODES: '2' }, ...excluded, ...chosen),
]
console.log('\nLeft out of the second part, as being about one machine:')
for (const [name, reason] of Object.entries(ofOneMachine)) console.log(`  ${name}: ${reason}`)
process.exit(passed.every(Boolean) ? 0 : 1)
