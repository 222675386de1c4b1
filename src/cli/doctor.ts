import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemClock } from '../core/clock.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { type ProbeReport } from '../media/messages.ts'
import { createLog } from '../observe/log.ts'
import { createProber } from '../sources/prober.ts'
import { type Command, parse, say, UsageError } from './command.ts'

const WATCH_MS = 8_000

export const doctor: Command = {
  usage: 'doctor URL|FILE [--json]        (exits with 3 when something is wrong with it)',
  summary: 'Open a stream or a file as the service would, and say what it is and what is wrong with it.',
  async run(args) {
    const { values, positionals } = parse(args, { json: { type: 'boolean' } })
    const [input] = positionals
    if (!input || positionals.length > 1) throw new UsageError('name one stream or file')
    const isLive = /^rt(sp|mp)s?:\/\//.test(input)
    if (!isLive && /^[a-z]+:\/\//.test(input)) throw new UsageError('a stream is rtsp://… or rtmp://…')
    if (!isLive && !existsSync(input)) throw new UsageError(`there is no file ${input}`)

    const probe = createProber({ clock: systemClock, log: createLog({ level: 'silent' }) })
    const request = {
      input: isLive ? input : resolve(input),
      isLive,
      watchMs: isLive ? WATCH_MS : 2_000,
      timeoutMs: 10_000,
    }
    if (isLive && !values.json) say(`Watching ${maskSecrets(input)} for ${WATCH_MS / 1000} s …`)
    const report = await probe(request).catch((error: unknown) => {
      throw new Error(
        `${maskSecrets(input)} cannot be opened: ${maskSecrets((error as Error).message)}. ${adviceFor((error as Error).message)}`.trim(),
      )
    })
    say(values.json ? JSON.stringify(report, null, 2) : toText(report))
    if (report.problems.length > 0) process.exitCode = 3
  },
}

function adviceFor(message: string): string {
  if (/401|unauthorized/i.test(message)) return 'Give the right user and password: rtsp://user:password@host/path.'
  if (/404|not found/i.test(message)) return 'Nothing is sent to that path; check it, and that the sender is running.'
  if (/refused/i.test(message)) return 'Nothing listens there; check host and port.'
  if (/timed out|timeout/i.test(message)) return 'The host did not answer in time; check the network.'
  if (/invalid data/i.test(message)) return 'It is not a video, or it is damaged.'
  return ''
}

function toText(report: ProbeReport): string {
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
              : `arrives ${report.wall_clock_skew_ms} ms after the sender’s time`,
          ],
        ]
      : []),
  ].map(([name, text]) => `  ${name!.padEnd(10)}  ${text}`)
  const verdict =
    report.problems.length === 0
      ? 'All is well.'
      : `What to look at:\n${report.problems.map((problem) => `  - ${problem}`).join('\n')}`
  return `${lines.join('\n')}\n\n${verdict}`
}
