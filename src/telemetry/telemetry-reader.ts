import { type PayloadLens, type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type TelemetrySample } from '../core/telemetry.ts'
import { readNative } from './native-format.ts'
import { createRefusalCounts, type Heard, type Reading, type RefusalCounts, refuse } from './refusal.ts'
import { createSampleOrder, type TelemetryClock } from './sample-order.ts'
import { readVendor, type VendorSender } from './vendor-format.ts'

export interface TelemetryReaderOptions {
  readonly format: TelemetryCfg['format']
  readonly parameters: Pick<TelemetryCfg['parameters'], 'sensor_hfov' | 'sensor_vfov' | 'lens' | 'time_offset_ms'>
  /** How far mean sea level is above the ellipsoid. */
  readonly geoidHeightM: (latitudeDeg: number, longitudeDeg: number) => number
  readonly extraLenses?: readonly PayloadLens[]
}

export interface TelemetryReader {
  /** Understands one message as it came from the wire. What is refused is counted. */
  read(text: string | Uint8Array, nowMs: number, topic?: string): Heard<TelemetrySample>
  readonly refusals: RefusalCounts['counts']
  /** How long messages take to arrive, by their own times; null before the first. */
  readonly typicalDelayMs: number | null
  /** By whose clock messages are placed in time; null before the first. */
  readonly clock: TelemetryClock | null
}

/** The largest message of the vendor has about 10 kB. */
const MAX_BYTES = 256 * 1024

/** All that stands between the wire and a sample: size, JSON, format, sender and time. */
export function createTelemetryReader(options: TelemetryReaderOptions): TelemetryReader {
  const { format, parameters, geoidHeightM, extraLenses } = options
  const { sensor_hfov: hfovDeg, sensor_vfov: vfovDeg, lens = 'wide' } = parameters
  const configured = { ...(hfovDeg !== undefined && { hfovDeg }), ...(vfovDeg !== undefined && { vfovDeg }) }
  const refusals = createRefusalCounts()
  const order = createSampleOrder(parameters.time_offset_ms)
  const senders = createSenderChoice()
  let sendsHfov = false
  let sendsVfov = false

  function understand(text: string | Uint8Array, nowMs: number, topic?: string): Heard<TelemetrySample> {
    if (text.length > MAX_BYTES) return refuse('too-large', `A message has at most ${MAX_BYTES} bytes.`)
    let message: unknown
    try {
      message = JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'))
    } catch (error) {
      return refuse('not-json', `The message is not JSON: ${(error as Error).message}`)
    }
    return format === 'native' ? fromNative(message) : fromVendor(message, nowMs, topic)
  }

  /** What is configured stands in until the sender sends its own fields of view. */
  function fromNative(message: unknown): Heard<TelemetrySample> {
    const reading = readNative(message)
    if (!('sample' in reading)) return reading
    sendsHfov ||= reading.sample.hfovDeg !== undefined
    sendsVfov ||= reading.sample.vfovDeg !== undefined
    const standIns = {
      ...(!sendsHfov && hfovDeg !== undefined && { hfovDeg }),
      ...(!sendsVfov && vfovDeg !== undefined && { vfovDeg }),
    }
    return {
      sample: { ...standIns, ...reading.sample },
      received: { ...standIns, ...(reading.received ?? reading.sample) },
    }
  }

  function fromVendor(message: unknown, nowMs: number, topic?: string): Reading<TelemetrySample> {
    const settings = { lens, geoidHeightM, ...configured, ...(extraLenses && { extraLenses }) }
    const reading = readVendor(message, settings, topic === undefined ? {} : { topic })
    if (!('sample' in reading)) return reading
    const { sample, sender } = reading
    const verdict = sender ? senders.judge(sender, nowMs) : 'followed'
    if (verdict === 'other')
      return refuse('other-aircraft', `${sender?.serialNumber} is not the aircraft that is followed.`)
    return { sample: verdict === 'instead' ? { ...sample, startsAnew: true } : sample }
  }

  return {
    read(text, nowMs, topic) {
      const reading = understand(text, nowMs, topic)
      if ('refusal' in reading) {
        refusals.count(reading.refusal.reason)
        return reading
      }
      const { sample, received = sample } = reading
      const verdict = order.check(sample.timeMs, nowMs)
      if ('refusal' in verdict) {
        refusals.count(verdict.refusal.reason)
        return { ...verdict, received }
      }
      if (sample.hasNoFix) refusals.count('no-fix')
      const { timeMs, startsAnew } = verdict
      return { sample: { ...sample, timeMs, ...(startsAnew && { startsAnew }) }, received }
    },
    refusals: refusals.counts,
    get typicalDelayMs() {
      return order.typicalDelayMs
    },
    get clock() {
      return order.clock
    },
  }
}

/**
 * Several aircraft may speak on one topic. Their messages are never mixed: the first one heard is followed, until it was
 * silent for a while. Aircraft and gateways are named differently and chosen apart.
 */
interface SenderChoice {
  /** `instead`: it takes the place of one that is silent, and nothing that the other said holds any more. */
  judge(sender: VendorSender, nowMs: number): 'followed' | 'instead' | 'other'
}

const SENDER_SILENCE_MS = 30_000

function createSenderChoice(): SenderChoice {
  const chosen = new Map<boolean, { readonly serialNumber: string; readonly heardAtMs: number }>()
  return {
    judge({ serialNumber, isGateway }, nowMs) {
      const current = chosen.get(isGateway)
      const isOther = current !== undefined && current.serialNumber !== serialNumber
      if (isOther && nowMs - current.heardAtMs < SENDER_SILENCE_MS) return 'other'
      chosen.set(isGateway, { serialNumber, heardAtMs: nowMs })
      return isOther ? 'instead' : 'followed'
    },
  }
}
