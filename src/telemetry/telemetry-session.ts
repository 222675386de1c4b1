import { type Allowance, createAllowance } from '../core/allowance.ts'
import { type Clock } from '../core/clock.ts'
import { type ReceivedTelemetry } from '../core/received-telemetry.ts'
import { ageInWords } from '../core/sentences.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { createLastSeenTracker } from '../core/last-seen.ts'
import { type TelemetryStatus } from '../core/telemetry-status.ts'
import { type Telemetry, type TelemetrySample } from '../core/telemetry.ts'
import { createIncoming } from '../core/text-socket.ts'
import { type Dial } from '../outbound/dial.ts'
import { maxAgeOf } from './max-age.ts'
import { type MqttChannel, openMqttChannel } from './mqtt-channel.ts'
import { toNative } from './native-format.ts'
import { staticTelemetry } from './static-telemetry.ts'
import { createTelemetryReader, type TelemetryReader, type TelemetryReaderOptions } from './telemetry-reader.ts'
import { describeSilence, expectedAt } from './telemetry-silence.ts'

/** The telemetry of one process while it lives. */
export interface TelemetrySession {
  readonly cfg: TelemetryCfg
  readonly status: TelemetryStatus
  /** The last that was understood; null before the first. */
  readonly latest: ReceivedTelemetry | null
  /** How much may come by websocket, over all connections. */
  readonly incoming: Allowance
  /** A message by websocket; answers the sentence for its sender when it can't be used. */
  receive(text: string | Uint8Array): string | undefined
  /** Everything that was understood, in the interface's form, as its sender timed it; returns the function that ends the listening. */
  listen(listener: (message: Record<string, number>) => void): () => void
  close(): Promise<void>
}

export interface TelemetrySessionDeps {
  /** The process that it is for. */
  readonly processId: string
  readonly geoidHeightM: TelemetryReaderOptions['geoidHeightM']
  /** Cameras that the built-in table lacks. */
  readonly extraLenses?: TelemetryReaderOptions['extraLenses']
  readonly dial: Dial
  readonly onSample: (sample: TelemetrySample) => void
  readonly clock: Clock
}

const STATIC_EVERY_MS = 1_000

export function openTelemetrySession(cfg: TelemetryCfg, deps: TelemetrySessionDeps): TelemetrySession {
  const { processId, geoidHeightM, extraLenses, dial, onSample, clock } = deps
  const listeners = new Set<(message: Record<string, number>) => void>()
  const reader: TelemetryReader = createTelemetryReader({ ...cfg, geoidHeightM, ...(extraLenses && { extraLenses }) })
  const rate = createMessageRate(clock)
  const over = new AbortController()
  const openedAtMs = clock.steady()
  const good = createLastSeenTracker(clock)
  const refused = createLastSeenTracker(clock)
  let lastRefusal = ''
  let tooMany = 0
  let error: string | null = null
  let channel: MqttChannel | undefined
  let latest: { readonly number: number; readonly sample: TelemetrySample; readonly atMs: number } | undefined

  function receive(text: string | Uint8Array, topic?: string): string | undefined {
    if (!rate.isWithin(text.length)) {
      tooMany += 1
      return undefined
    }
    const nowMs = clock.now()
    const reading = reader.read(text, nowMs, topic)
    if (reading.received) emit(reading.received)
    if (!('sample' in reading)) {
      lastRefusal = reading.refusal.sentence
      refused.note(nowMs)
      return lastRefusal
    }
    good.note(nowMs)
    onSample(reading.sample)
    return undefined
  }

  function emit(sample: TelemetrySample): void {
    latest = { number: (latest?.number ?? 0) + 1, sample, atMs: clock.steady() }
    if (listeners.size === 0) return
    const message = toNative(sample, sample.timeMs)
    for (const listener of listeners) listener(message)
  }

  function findSilence(): string | null {
    if (cfg.type === 'static') return null
    return describeSilence({
      ageMs: good.last?.ageMs ?? null,
      openForMs: clock.steady() - openedAtMs,
      maxAgeMs: maxAgeOf(cfg),
      expected: expectedAt(cfg, processId),
      refused: refused.last && { sentence: lastRefusal, ageMs: refused.last.ageMs },
    })
  }

  async function repeat(values: Telemetry): Promise<void> {
    while (!over.signal.aborted) {
      emit({ ...values, timeMs: clock.now() })
      await clock.sleep(STATIC_EVERY_MS, over.signal)
    }
  }

  if (cfg.type === 'static') void repeat(staticTelemetry(cfg.parameters))
  if (cfg.type === 'mqtt') {
    error = 'The broker has not answered yet.'
    channel = openMqttChannel({
      parameters: cfg.parameters,
      dial,
      onMessage: (payload, topic) => void receive(payload, topic),
      onState: (sentence) => (error = sentence),
      clock,
    })
  }

  return {
    cfg,
    incoming: createIncoming(clock),
    get status() {
      const { refusals, typicalDelayMs, clock: timedBy } = reader
      const silence = error === null ? findSilence() : null
      return {
        type: cfg.type,
        format: cfg.format,
        last: good.last,
        delayMs: timedBy === 'arrival' ? null : typicalDelayMs,
        clock: timedBy,
        clockNote: timedBy === 'arrival' ? describeClock(typicalDelayMs!) : null,
        rejected: { ...refusals, ...(tooMany > 0 && { 'too-many': tooMany }) },
        error: error ?? silence,
        isSilent: silence !== null,
      }
    },
    get latest() {
      if (!latest) return null
      const { number, sample, atMs } = latest
      return { number, ageMs: clock.steady() - atMs, message: toNative(sample, sample.timeMs) }
    },
    receive: (text) => receive(text),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      over.abort()
      listeners.clear()
      await channel?.close()
    },
  }
}

function describeClock(delayMs: number): string {
  const off = `${ageInWords(Math.abs(delayMs))} ${delayMs > 0 ? 'behind' : 'ahead of'}`
  return `The sender’s clock is ${off} this machine’s: frames are located by when messages arrive. Set its clock for better places.`
}

/** Drones send up to 60 messages a second; somebody who sends far more is broken. */
const RATE_MESSAGES = { burst: 200, perSecond: 200 }
/** Those have some hundreds of bytes; the vendor's largest, of about 10 kB, come a few times a second. */
const RATE_BYTES = { burst: 512 * 1024, perSecond: 128 * 1024 }

/** Says whether one more message may be read; whatever comes beyond is left unread, so that it costs next to nothing. */
export function createMessageRate(clock: Pick<Clock, 'steady'>): { isWithin(bytes: number): boolean } {
  const messages = createAllowance(RATE_MESSAGES, clock)
  const allowedBytes = createAllowance(RATE_BYTES, clock)
  return { isWithin: (bytes) => messages.take() && allowedBytes.take(bytes) }
}
