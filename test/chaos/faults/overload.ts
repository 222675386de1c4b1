import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../support/until.ts'
import { type Fault, type Goals } from '../fault.ts'
import { type Load } from '../load.ts'

/** Those who look share what there is; whatever else goes on must not notice. */
const SCENES: Goals = { 'yard scenes': 6_000, 'gate scenes': 6_000, webhook: 6_000, MQTT: 6_000 }

/** What whoever looks at a console takes for at once. */
const MAX_ANSWER_MS = 250
/** Starts wait for their turn. */
const MAX_STARTING_MS = 120_000

/** Far more than the machine can look at. */
const crowd = (count: number): Fault => ({
  name: `${count} more processes started at once, and stopped 20 s later`,
  goals: SCENES,
  lasts: true,
  maxAnswerMs: MAX_ANSWER_MS,
  // Each has a look now and then, from the first start on.
  unseenSeconds: 2 * (MAX_STARTING_MS / 1_000 + 20),
  async inject({ rig, sources }) {
    const starts = await Promise.allSettled(Array.from({ length: count }, () => rig.start(sources.gate)))
    const started = starts.filter((start) => start.status === 'fulfilled').map(({ value }) => value.process_uuid)
    const run = new Set<string>()
    const hasRun = async (id: string) => (await rig.info(id)).state === 'running'
    await until(async () => {
      for (const id of started) if (!run.has(id) && (await hasRun(id))) run.add(id)
      return run.size === started.length
    }, MAX_STARTING_MS).catch(() => {})
    await sleep(20_000)
    for (const id of started) await rig.ask('DELETE', `/process/${id}`)
    return { wrong: run.size < count ? [`${count - run.size} of them never ran`] : [] }
  },
})

const CALLERS = 8

/** With the one of the load it is as many as may be active at one process; all find whom they look for at the same moment. */
const manyAlerts = (count: number): Fault => ({
  name: `${count} more alerts that look for the same people, removed 20 s later`,
  goals: SCENES,
  lasts: true,
  maxAnswerMs: MAX_ANSWER_MS,
  async inject(load) {
    const { rig, receiver } = load
    const path = '/many-alerts'
    const body = {
      alias: 'many',
      type: 'filter-search',
      trigger: { cooldown_seconds: 3_600 },
      output: [{ type: 'webhook', config: { url: `http://127.0.0.1:${receiver.port}${path}` } }],
    }
    const ids = await inParallel(count, () => rig.ask<{ uuid: string }>('POST', '/alert', { body }))
    const heard = () => new Set(notificationsAt(load, path).map(({ alert_uuid: id }) => id)).size
    await until(async () => heard() === count, MAX_STARTING_MS).catch(() => {})
    await sleep(20_000)
    await inParallel(count, (index) => rig.ask('DELETE', `/alert/${ids[index]!.uuid}`))
    return { wrong: heard() < count ? [`${count - heard()} of them found nobody`] : [] }
  },
})

function notificationsAt({ receiver }: Load, path: string): { readonly alert_uuid: string }[] {
  const own = receiver.calls.filter((call) => call.path === path)
  return own.map(({ body }) => JSON.parse(body) as { alert_uuid: string })
}

async function inParallel<Result>(count: number, act: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next++
      results[index] = await act(index)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, work))
  return results
}

export const overloadFaults: readonly Fault[] = [crowd(12), crowd(24), crowd(50), manyAlerts(49)]
