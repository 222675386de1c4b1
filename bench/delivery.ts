import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createBus } from '../src/core/bus.ts'
import { systemClock } from '../src/core/clock.ts'
import { type Delivery } from '../src/core/delivery.ts'
import { orderedUuid } from '../src/core/ordered-uuid.ts'
import { type OutboundMessage } from '../src/core/outbound-message.ts'
import { createDelivery } from '../src/delivery/delivery.module.ts'
import { createLog } from '../src/observe/log.ts'
import { createMetrics } from '../src/observe/metrics.ts'
import { openDatabase } from '../src/storage/database.ts'
import { migrate } from '../src/storage/migrate.ts'
import { type Benchmark, ms, percent } from './benchmark.ts'
import { contactDeps } from '../test/support/contact-deps.ts'

const CHANNELS = 50
const A_SECOND = 1_000
const SECONDS = 30
const TICK_MS = 20

/** In a process of its own, so that what it costs is not counted. */
const receiverProgram = `
  const server = require('node:http').createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
  process.stdin.resume().on('end', () => process.exit())`

export const delivery: Benchmark = {
  name: 'delivery',
  title: 'Delivery of notifications',
  about: `${A_SECOND} signed webhook notifications a second over ${CHANNELS} subscriptions to a local receiver for ${SECONDS} s, each on disk (SQLite) before it is sent and in order per subscription.`,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'aerie-delivery-'))
    const receiver = spawn(process.execPath, ['-e', receiverProgram], { stdio: ['pipe', 'pipe', 'inherit'] })
    const database = openDatabase(`sqlite:${join(folder, 'bench.db')}`)
    try {
      const port = await new Promise<string>((resolve) =>
        createInterface({ input: receiver.stdout }).once('line', resolve),
      )
      await migrate(database.db)
      const metrics = createMetrics()
      const passes: (() => unknown)[] = []
      const outbox = createDelivery({
        options: { dataDir: folder, outbound: { deny: [], allow: [] }, authOrigins: [], instanceId: 'bench' },
        db: database.db,
        node: null,
        bus: createBus(() => {}),
        budget: { onPass: (handler) => void passes.push(() => handler(undefined)) },
        metrics,
        clock: systemClock,
        log: createLog({ level: 'silent' }),
        mayCallThisMachine: async () => true,
        ...contactDeps(database.db),
      })
      await outbox.restore()
      await outbox.restoreProcesses({ ids: 'all' })
      for (const pass of passes) await pass()
      const result = await load(outbox, `http://127.0.0.1:${port}/hook`, metrics)
      await outbox.close()
      return result
    } finally {
      receiver.kill()
      await database.close()
      rmSync(folder, { recursive: true })
    }
  },
}

async function load(
  { service, jobs }: ReturnType<typeof createDelivery>,
  url: string,
  metrics: ReturnType<typeof createMetrics>,
) {
  const body = JSON.stringify({
    process_uuid: orderedUuid(),
    type: 'new-tracks',
    detections: Array(5).fill({ topLeftX: 1 }),
  })
  const destination = { kind: 'webhook', url, secret: `whsec_${Buffer.alloc(24).toString('base64')}` } as const
  const read = async (name: string) => {
    const line = (await metrics.text()).split('\n').find((one) => one.startsWith(`${name} `))
    return Number(line?.slice(name.length) ?? 0)
  }
  const waiting = async () => (await read('aerie_deliveries_waiting')) + (await read('aerie_deliveries_spooled'))
  const commits: number[] = []
  const backlogs: number[] = []
  let refusals = 0
  const senders = Array.from({ length: CHANNELS }, () =>
    createSender(
      service,
      (commitMs) => void commits.push(commitMs),
      () => void (refusals += 1),
    ),
  )
  const heaps: number[] = []
  let sent = 0
  const began = systemClock.steady()
  const cpu = process.cpuUsage()
  const sweeper = setInterval(() => void jobs[0]!.handle({} as never, new AbortController().signal), 10_000)
  for (let tick = 0; systemClock.steady() - began < SECONDS * 1000; tick++) {
    const due = Math.min(SECONDS * A_SECOND, Math.round(((systemClock.steady() - began) / 1000) * A_SECOND))
    for (; sent < due; sent++) {
      const channel = `webhook:${sent % CHANNELS}`
      senders[sent % CHANNELS]!.send({
        id: orderedUuid(),
        channel,
        accountId: `account-${sent % 5}`,
        processId: `process-${sent % CHANNELS}`,
        destination,
        body,
        createdAtMs: Date.now(),
      })
    }
    if (tick % 50 === 0) {
      backlogs.push(await waiting())
      heaps.push(heapBytes())
    }
    await systemClock.sleep(Math.max(0, began + (tick + 1) * TICK_MS - systemClock.steady()))
  }
  clearInterval(sweeper)
  const usage = process.cpuUsage(cpu)
  const elapsedMs = systemClock.steady() - began
  const left = await waiting()
  while ((await waiting()) > 0 || commits.length < sent) await systemClock.sleep(10)
  const drainedMs = systemClock.steady() - began - elapsedMs
  const delivered = await read('aerie_deliveries_settled{outcome="delivered"}')
  const growth = average(heaps.slice(-10)) - average(heaps.slice(5, 15))
  commits.sort((a, b) => a - b)
  const rate = (sent / elapsedMs) * 1000
  return [
    { what: 'taken a second', value: rate.toFixed(0), goal: `${A_SECOND}`, isMet: rate > A_SECOND * 0.98 },
    { what: 'delivered', value: `${delivered} of ${sent}`, goal: 'all', isMet: delivered === sent },
    {
      what: 'backlog at the end, gone after',
      value: `${left}, ${ms(drainedMs)}`,
      goal: 'under half a second of messages',
      isMet: left < A_SECOND / 2,
    },
    { what: 'refused, and sent again a second later', value: `${refusals} times` },
    { what: 'most backlog seen', value: `${Math.max(...backlogs)}` },
    {
      what: 'growth of the heap, last third over first',
      value: `${(growth / 2 ** 20).toFixed(1)} MiB`,
      goal: 'under 10 MiB',
      isMet: growth < 10 * 2 ** 20,
    },
    { what: 'until it is on disk, p50 and p95', value: `${ms(at(commits, 0.5))}, ${ms(at(commits, 0.95))}` },
    { what: 'of one core', value: percent((usage.user + usage.system) / 1000 / elapsedMs) },
  ]
}

/** Hands messages over as features do; each is reported with how long it took to be on disk. */
function createSender(service: Delivery, onTaken: (commitMs: number) => void, onFailure: () => void) {
  let waiting: { readonly message: OutboundMessage; readonly atMs: number }[] = []
  const fail = (error: unknown) => {
    throw error
  }
  const notifier = service.createDurableNotifier<(typeof waiting)[number]>({
    isReady: () => waiting.length > 0,
    next: () => waiting,
    messagesOf: ({ message }) => [message],
    onTaken(taken) {
      waiting = waiting.slice(taken.length)
      for (const { atMs } of taken) onTaken(systemClock.steady() - atMs)
    },
    onRefused: fail,
    onFailure,
  })
  return {
    send(message: OutboundMessage): void {
      waiting = [...waiting, { message, atMs: systemClock.steady() }]
      notifier.wake()
    },
  }
}

/** What is in use once the garbage is gone. */
function heapBytes(): number {
  setFlagsFromString('--expose_gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const at = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)]!
