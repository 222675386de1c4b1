import { connectAsync } from 'mqtt'
import { createMosquitto } from '../test/support/mosquitto.ts'
import { createProcessRig } from '../test/support/process-rig.ts'
import { until } from '../test/support/until.ts'
import { type Benchmark, ms, type Row } from './benchmark.ts'

const SECONDS = 30
const MAX_MS = 50
const TOPIC = 'bench/alerts'
const BURST_TOPIC = 'bench/burst'
const BURST = 10

export const alertLatency: Benchmark = {
  name: 'alert-latency',
  title: 'From inference to the broker',
  about: `The real service with the demo clip as a live stream, three alerts that tell of nearly every frame, one with ${BURST} lines in the same place (whoever crosses makes ${BURST} notifications in one frame), a real mosquitto (QoS 1) and a subscriber on the same machine, for ${SECONDS} s. Measured from \`detected_at\` of a notification, when the model was done with the frame, to its arrival at the subscriber: tracking, analysis, the write to disk, and both ways over the network are in it.`,
  async run() {
    const rig = await createProcessRig()
    const broker = await createMosquitto()
    const subscriber = await connectAsync(`mqtt://127.0.0.1:${broker.port}`)
    const delays: number[] = []
    const burstDelays: number[] = []
    let isMeasuring = false
    subscriber.on('message', (topic, payload) => {
      const { detected_at: at } = JSON.parse(payload.toString()) as { detected_at?: string }
      if (isMeasuring && at !== undefined) (topic === TOPIC ? delays : burstDelays).push(Date.now() - Date.parse(at))
    })
    try {
      await subscriber.subscribeAsync([TOPIC, BURST_TOPIC], { qos: 1 })
      for (const select of ['first', 'largest', 'most_confident'])
        await rig.ask('POST', '/alert', {
          body: {
            alias: select,
            type: 'follow-track',
            trigger: { interval_seconds: 0.1 },
            parameters: { select },
            output: [{ type: 'mqtt', config: { host: `127.0.0.1:${broker.port}`, topic: TOPIC } }],
          },
        })
      const toLine = (_: unknown, index: number) => ({ name: `line ${index}`, from: [0.5, 0], to: [0.5, 1] })
      await rig.ask('POST', '/alert', {
        body: {
          alias: 'burst',
          type: 'flow-control',
          trigger: { cooldown_seconds: 0 },
          parameters: { lines: Array.from({ length: BURST }, toLine) },
          output: [{ type: 'mqtt', config: { host: `127.0.0.1:${broker.port}`, topic: BURST_TOPIC } }],
        },
      })
      const { sourceId } = await rig.goLive('latency')
      const started = await rig.start(sourceId)
      const socket = await rig.connect(started)
      // The model is warm by then.
      await socket.more(20, 30_000)
      isMeasuring = true
      const endMs = Date.now() + SECONDS * 1000
      await until(async () => Date.now() >= endMs, SECONDS * 2000)
      return [...toRows(delays), ...toBurstRows(burstDelays)]
    } finally {
      await subscriber.endAsync(true)
      await rig.remove()
      await broker.remove()
    }
  },
}

function toBurstRows(delays: readonly number[]): Row[] {
  // None of a burst may be later than the rest by a write each.
  return [{ what: `of ${delays.length} in bursts of ${BURST}, the longest`, value: ms(Math.max(0, ...delays)) }]
}

function toRows(delays: number[]): Row[] {
  const sorted = delays.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Infinity
  return [
    { what: 'end of inference to MQTT message, p50', value: ms(at(0.5)) },
    {
      what: 'end of inference to MQTT message, p95',
      value: ms(at(0.95)),
      goal: `under ${ms(MAX_MS)}`,
      isMet: at(0.95) < MAX_MS,
    },
    { what: 'end of inference to MQTT message, longest', value: ms(sorted.at(-1) ?? Infinity) },
    { what: 'notifications', value: String(sorted.length), goal: 'at least 200', isMet: sorted.length >= 200 },
  ]
}
