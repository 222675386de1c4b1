import { spawn, type ChildProcess } from 'node:child_process'

export interface Finished {
  readonly code: number | null
  /** What it complained about; nothing but complaints, because of `-v warning`. */
  readonly complaints: string
  readonly output: string
}

export interface Running {
  readonly process: ChildProcess
  readonly finished: Promise<Finished>
  /** Ends it as a power cut would. */
  kill(): Promise<Finished>
}

/** ffmpeg or ffprobe, quiet but for warnings. Never runs for longer than a minute, or `maxMs`. */
export function start(program: 'ffmpeg' | 'ffprobe', args: readonly string[], maxMs = 60_000): Running {
  const child = spawn(program, ['-hide_banner', '-v', 'warning', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let complaints = ''
  let output = ''
  child.stderr.on('data', (data: Buffer) => (complaints += data.toString()))
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  const deadline = setTimeout(() => child.kill('SIGKILL'), maxMs)
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => {
      clearTimeout(deadline)
      resolve({ code, complaints, output })
    })
  })
  return {
    process: child,
    finished,
    kill() {
      child.kill('SIGKILL')
      return finished
    },
  }
}

export interface PublisherOptions {
  readonly transport?: 'tcp' | 'udp'
  /** Arguments of the video encoder. */
  readonly video?: readonly string[]
  readonly audio?: boolean
}

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '30']

/** A moving test picture with a tone, at the pace of a camera, until it is killed. */
export function publish(
  url: string,
  { transport = 'tcp', video = h264, audio = true }: PublisherOptions = {},
): Running {
  return start('ffmpeg', [
    ...['-re', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=30'],
    ...(audio ? ['-f', 'lavfi', '-i', 'sine=frequency=440', '-c:a', 'aac'] : []),
    ...['-pix_fmt', 'yuv420p', ...video],
    ...['-f', 'rtsp', '-rtsp_transport', transport, url],
  ])
}

/** Decodes some seconds of a stream and stops at the first error. Reports its progress once it has begun to decode. */
export function watch(url: string, transport: 'tcp' | 'udp', seconds: number): Running {
  const input = ['-xerror', '-err_detect', 'explode', '-rtsp_transport', transport, '-i', url]
  return start('ffmpeg', [...input, '-t', String(seconds), '-progress', 'pipe:1', '-f', 'null', '-'])
}
