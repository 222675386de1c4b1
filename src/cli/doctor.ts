import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadConfig } from '../config/config.ts'
import { systemClock } from '../core/clock.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { type ProbeReport } from '../media/messages.ts'
import { createLog } from '../observe/log.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { describeUnreadable } from '../sources/describe-unreadable.ts'
import { createProber } from '../sources/prober.ts'
import { parseBrokerTopic } from './broker-topic.ts'
import { type Command, oneOf, parse, say, UsageError } from './command.ts'
import { arrivalText, skewText } from './delay-text.ts'
import { flightFormats } from './flight-message.ts'
import { type Finding } from './finding.ts'
import { findingsOf } from './installation-findings.ts'
import { besideVideo, type TelemetryReport, watchTelemetry } from './telemetry-watch.ts'

const WATCH_MS = 8_000

export const doctor: Command = {
  usage:
    'doctor [--json]   (what is open on this installation; exits with 1 when a door should be closed)\n' +
    '  aerie doctor URL|FILE [--telemetry mqtt://host:1883/topic [--format native|vendor_a]] [--json]\n' +
    '           (exits with 3 when something is wrong with it)',
  summary:
    'Say what is open on this installation, and what to do about it. Or: open a stream or a file as the service would, and say what it is and what is wrong with it; with telemetry, also how much later the video comes.',
  async run(args) {
    const { values, positionals } = parse(args, {
      json: { type: 'boolean' },
      telemetry: { type: 'string' },
      format: { type: 'string', default: 'native' },
    })
    const [input] = positionals
    if (positionals.length > 1) throw new UsageError('name one stream or file')
    if (input === undefined) {
      if (values.telemetry !== undefined) throw new UsageError('name the stream that the telemetry belongs to')
      return examineInstallation(values.json === true)
    }
    const isLive = /^rt(sp|mp)s?:\/\//i.test(input)
    if (!isLive && /^[a-z]+:\/\//.test(input)) throw new UsageError('a stream is rtsp://… or rtmp://…')
    if (!isLive && !existsSync(input)) throw new UsageError(`there is no file ${input}`)

    const broker = values.telemetry === undefined ? undefined : parseBrokerTopic(values.telemetry, '--telemetry')
    const format = oneOf(values.format, flightFormats, '--format')

    const { maxPicture } = loadConfig(process.env, 'config.yml')
    const probe = createProber({ clock: systemClock, log: createLog({ level: 'silent' }), maxPicture })
    const request = {
      input: isLive ? input : resolve(input),
      isLive,
      watchMs: isLive ? WATCH_MS : 2_000,
      timeoutMs: 10_000,
      outbound: isLive ? OPERATOR_RULES : null,
    }
    if (isLive && !values.json) say(`Watching ${maskSecrets(input)} for ${WATCH_MS / 1000} s …`)
    const listening = broker && watchTelemetry(broker, format, WATCH_MS)
    const report = await probe('doctor', request).catch((error: unknown) => {
      throw new Error(describeUnreadable(maskSecrets(input), (error as Error).message))
    })
    const telemetry = listening && besideVideo(await listening, report.wall_clock_skew_ms)
    if (values.json) say(JSON.stringify({ ...report, ...(telemetry && { telemetry }) }, null, 2))
    else say(toText(report, telemetry))
    if (report.problems.length + (telemetry?.problems.length ?? 0) > 0) process.exitCode = 3
  },
}

async function examineInstallation(isJson: boolean): Promise<void> {
  const { collectFacts } = await import('./installation-facts.ts')
  const findings = findingsOf(await collectFacts(loadConfig(process.env, 'config.yml')))
  if (isJson) say(JSON.stringify({ findings }, null, 2))
  else say(findings.map(describeFinding).join('\n'))
  if (findings.some(({ level }) => level === 'warn')) process.exitCode = 1
}

function describeFinding({ level, topic, sentence, advice }: Finding): string {
  const line = `${level.padEnd(4)}  ${topic.padEnd(9)}  ${sentence}`
  return advice === undefined ? line : `${line}\n${' '.repeat(17)}${advice}`
}

function toText(report: ProbeReport, telemetry: TelemetryReport | undefined): string {
  const known = (value: number | null, unit: string) => (value === null ? 'not seen' : `${value} ${unit}`)
  const lines = [
    [
      'Video',
      `${report.codec} ${report.width}×${report.height}, ${report.fps} fps (measured ${report.measured_fps}), ${report.pixel_format}`,
    ],
    ['Audio', report.audio_codec ?? 'none'],
    ...(report.is_live ? [] : [['Length', known(report.duration_seconds, 's')]]),
    [
      'Keyframes',
      report.keyframe_interval_seconds === null ? 'interval not seen' : `every ${report.keyframe_interval_seconds} s`,
    ],
    ['B-frames', report.has_b_frames ? 'yes' : 'no'],
    ['Opened in', `${report.open_ms} ms, first picture after ${known(report.first_frame_ms, 'ms')}`],
    ...(report.is_live
      ? [
          [
            'Wall clock',
            report.wall_clock_skew_ms === null
              ? 'no RTCP sender reports'
              : `arrives ${arrivalText(report.wall_clock_skew_ms, 'the sender’s time')}`,
          ],
        ]
      : []),
    ...(telemetry ? [['Telemetry', describeTelemetry(telemetry)]] : []),
  ].map(([name, text]) => `  ${name!.padEnd(10)}  ${text}`)
  const problems = [...report.problems, ...(telemetry?.problems ?? [])]
  const verdict =
    problems.length === 0
      ? 'All is well.'
      : `What to look at:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`
  return `${lines.join('\n')}\n\n${verdict}`
}

function describeTelemetry({ messages_per_second: rate, delay_ms: delayMs, skew_ms: skewMs }: TelemetryReport): string {
  if (delayMs === null) return `${rate} messages a second, none understood`
  const skew =
    skewMs === null
      ? ''
      : `; the video comes ${skewText(skewMs)} than the telemetry of the same moment, which its own clock makes up for`
  return `${rate} messages a second, which arrive ${arrivalText(delayMs, 'their own time')}${skew}`
}
