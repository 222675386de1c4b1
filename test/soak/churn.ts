import { setTimeout as sleep } from 'node:timers/promises'
import { type Load } from '../chaos/load.ts'
import { createSignal } from '../chaos/signal.ts'
import { watchHls, watchScenes, watchWebrtc } from '../chaos/watchers.ts'
import { type Random } from '../fuzz/random.ts'

/** Everything that users do in a day, at random, one thing after the other. */
export interface Churn {
  /** How often each was done. */
  readonly done: ReadonlyMap<string, number>
  /** What failed that should not have: what, and why. */
  readonly failures: readonly string[]
}

/** The most that run beside the two that always do. */
const MAX_MORE = 2

export function startChurn(load: Load, clip: string, random: Random, signal: AbortSignal): Churn {
  const { rig, sources, processes } = load
  const done = new Map<string, number>()
  const failures: string[] = []
  let more = 0
  const wait = (maxSeconds: number) => sleep(random.below(maxSeconds * 1_000), undefined, { signal }).catch(() => {})
  const anySource = () => random.pick([sources.yard, sources.gate])

  /** For as long as it lasts something goes on beside; then it ends. */
  async function briefly(begin: (leaving: AbortSignal) => void): Promise<void> {
    const leaving = new AbortController()
    begin(leaving.signal)
    await wait(20)
    leaving.abort()
  }

  const actions: Readonly<Record<string, () => Promise<void>>> = {
    async 'a process comes and goes'() {
      const { process_uuid: id } = await rig.start(anySource(), { confidence: String(random.pick([40, 60])) })
      await wait(30)
      await rig.ask('DELETE', `/process/${id}`)
    },
    async 'a process pauses'() {
      const id = random.pick([processes.yard, processes.gate])
      await rig.ask('POST', `/process/${id}/pause`)
      await wait(5)
      await rig.ask('POST', `/process/${id}/resume`)
    },
    async 'a file is processed'() {
      const source = await rig.upload(clip)
      const { process_uuid: id } = await rig.start(source)
      await wait(15)
      await rig.ask('DELETE', `/process/${id}`)
      await rig.ask('DELETE', `/source/${source}`)
    },
    async 'a viewer of HLS'() {
      await briefly((leaving) =>
        watchHls(rig, random.pick(['admin/yard', 'admin/gate']), createSignal('viewer'), leaving),
      )
    },
    async 'a viewer by WebRTC'() {
      await briefly((leaving) => watchWebrtc(rig, 'admin/gate', createSignal('viewer'), leaving))
    },
    async 'a client of scenes'() {
      const { process_uuid: id, detection_data_url: url } = await rig.start(anySource())
      await briefly((leaving) => void watchScenes(url, createSignal('client'), leaving))
      await rig.ask('DELETE', `/process/${id}`)
    },
    async 'a subscription'() {
      const body = { notification_url: `${load.receiver.url}/events`, event_type: 'new-tracks' }
      await rig.ask('POST', `/subscribe/${processes.yard}`, { body })
      await wait(10)
    },
    async 'an alert comes and goes'() {
      const output = [{ type: 'webhook', config: { url: `${load.receiver.url}/other` } }]
      const body = { alias: 'churn', type: 'follow-track', trigger: { interval_seconds: 1 }, output }
      const { uuid } = await rig.ask<{ uuid: string }>('POST', '/alert', { body })
      await wait(15)
      await rig.ask('DELETE', `/alert/${uuid}`)
    },
    async questions() {
      for (const path of ['/tracks', '/sources', '/processes', '/system', '/sources/recordings', '/metrics'])
        await rig.ask('GET', path).catch((error: unknown) => {
          // Metrics are text.
          if (path !== '/metrics') throw error
        })
    },
  }

  async function go(): Promise<void> {
    while (!signal.aborted) {
      const [name, action] = random.pick(Object.entries(actions))
      while (more >= MAX_MORE && !signal.aborted) await wait(1)
      if (signal.aborted) return
      more += 1
      void action()
        .catch((error: unknown) => void failures.push(`${name}: ${(error as Error).message}`))
        .finally(() => {
          more -= 1
          done.set(name, (done.get(name) ?? 0) + 1)
        })
      await wait(4)
    }
  }
  void go()
  return { done, failures }
}
