import { type ProbeReport } from '../messages.ts'

/** What was seen of a video's packets. */
export interface Sight {
  readonly isLive: boolean
  readonly container: string
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly pixelFormat: string
  readonly fpsDeclared: number
  /** It says of itself that pictures come in another order than they are shown. */
  readonly isReordered: boolean
  readonly audioCodec: string | undefined
  readonly durationSeconds: number | undefined
  readonly openMs: number
  readonly firstFrameMs: number | undefined
  readonly packets: readonly SeenPacket[]
  /** How much later than the sender's clock says a frame arrived, by RTCP; undefined without sender reports. */
  readonly skewMs: number | undefined
}

export interface SeenPacket {
  readonly ptsSeconds: number
  readonly isKeyframe: boolean
}

/** More show nothing new. */
export const MAX_SEEN_PACKETS = 2_000

const GOOD_CODECS = ['h264', 'hevc']

/** Turns what was seen into figures, and into sentences about what is wrong. */
export function toReport(sight: Sight): ProbeReport {
  const times = sight.packets.map(({ ptsSeconds }) => ptsSeconds)
  const spanSeconds = times.length > 1 ? Math.max(...times) - Math.min(...times) : 0
  const measuredFps = spanSeconds > 0 ? (times.length - 1) / spanSeconds : 0
  const keyframes = sight.packets.filter(({ isKeyframe }) => isKeyframe).map(({ ptsSeconds }) => ptsSeconds)
  const intervals = keyframes.slice(1).map((time, index) => time - keyframes[index]!)
  const hasBFrames = sight.isReordered || times.some((time, index) => index > 0 && time < times[index - 1]!)
  const figures = {
    is_live: sight.isLive,
    container: sight.container,
    codec: sight.codec,
    width: sight.width,
    height: sight.height,
    fps: round(isPlausible(sight.fpsDeclared) ? sight.fpsDeclared : measuredFps, 2),
    measured_fps: round(measuredFps, 2),
    pixel_format: sight.pixelFormat,
    audio_codec: sight.audioCodec ?? null,
    duration_seconds: sight.durationSeconds === undefined ? null : round(sight.durationSeconds, 3),
    keyframe_interval_seconds: intervals.length > 0 ? round(Math.max(...intervals), 2) : null,
    has_b_frames: hasBFrames,
    open_ms: Math.round(sight.openMs),
    first_frame_ms: sight.firstFrameMs === undefined ? null : Math.round(sight.firstFrameMs),
    wall_clock_skew_ms: sight.skewMs === undefined ? null : Math.round(sight.skewMs),
  }
  return { ...figures, problems: problemsOf(figures, sight, spanSeconds) }
}

function problemsOf(figures: Omit<ProbeReport, 'problems'>, sight: Sight, spanSeconds: number): string[] {
  const problems: string[] = []
  if (!GOOD_CODECS.includes(figures.codec)) problems.push(`The video is ${figures.codec}; send H.264 (or H.265).`)
  if (figures.codec === 'hevc')
    problems.push('H.265 is processed, but most browsers cannot play it; H.264 can be watched everywhere.')
  if (figures.first_frame_ms === null) problems.push('No picture could be decoded.')
  if (figures.width === 0 || figures.height === 0)
    problems.push('The picture’s size is not known; the stream lacks its parameter sets (SPS).')
  const { keyframe_interval_seconds: interval, is_live: isLive } = figures
  if (isLive && interval !== null && interval > 4) {
    problems.push(
      `A keyframe comes only every ${interval} s; set the encoder to one every 1–2 s, or viewers and processes wait that long.`,
    )
  }
  if (isLive && interval === null && spanSeconds > 4)
    problems.push(`No second keyframe came within ${round(spanSeconds, 0)} s; set the encoder to one every 1–2 s.`)
  if (isLive && figures.has_b_frames)
    problems.push(
      'The stream has B-frames: they add delay, and WebRTC cannot carry them. Set B-frames to 0 (tune zerolatency).',
    )
  if (isLive && figures.measured_fps > 0 && figures.measured_fps < 1)
    problems.push(`Only ${figures.measured_fps} frames a second arrive.`)
  if (sight.skewMs !== undefined && Math.abs(sight.skewMs) > 2000) {
    problems.push(
      `The sender’s clock differs from ours by ${round(sight.skewMs / 1000, 1)} s; set both by NTP, or positions will be off.`,
    )
  }
  if (isLive && sight.container === 'rtsp' && sight.skewMs === undefined)
    problems.push('No RTCP sender reports came within the time of this look: frames are dated by their arrival.')
  return problems
}

const isPlausible = (fps: number) => Number.isFinite(fps) && fps > 0 && fps <= 240
const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits
