import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** The picture's topmost strip is the lower 32 bits of the time when it was taken, and their sum: a row of black and white blocks. */
export const CLOCK = { timeBits: 32, sumBits: 8 } as const
const BLOCKS = CLOCK.timeBits + CLOCK.sumBits

export interface ClockCameraOptions {
  /** A multiple of the number of blocks. */
  readonly width?: number
  readonly height?: number
  readonly fps?: number
  readonly bitsPerSecond?: number
  /** Arguments of ffmpeg for the encoder. */
  readonly encoder?: readonly string[]
  /** Arguments of ffmpeg before the address. */
  readonly format?: readonly string[]
  /**
   * So long after it was switched on its first picture is taken, and its RTCP says so. By default it begins when it is connected, by
   * which time ffmpeg's RTCP has begun to count.
   */
  readonly leadMs?: number
}

export interface ClockCamera {
  /** Ends it as a power cut would. */
  stop(): Promise<void>
}

/** Frames that the encoder has not taken yet; beyond this the measurement would be one of the encoder. */
const MAX_BEHIND = 15
const RTSP = ['-f', 'rtsp', '-rtsp_transport', 'tcp']
/** One picture is enough to begin with. */
const AT_ONCE = ['-probesize', '32', '-analyzeduration', '0', '-fpsprobesize', '0']
/** ffmpeg says it once it has written the header. */
const CONNECTED = 'Output #0'
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency']

/** A camera whose every picture says at which millisecond it was taken: 720p30, about 3 Mbit/s, unless wanted otherwise; a keyframe a second. */
export function startClockCamera(url: string, options: ClockCameraOptions = {}): ClockCamera {
  const { width = 1280, height = 720, fps = 30, bitsPerSecond = 3_000_000, encoder = H264, leadMs } = options
  let startedAtMs = leadMs === undefined ? undefined : Date.now() + leadMs
  const clock = startedAtMs === undefined ? [] : ['-start_time_realtime', `${startedAtMs * 1000}`]
  const format = [...clock, ...(options.format ?? RTSP)]
  const picture = ['-pix_fmt', 'yuv420p', '-video_size', `${width}x${height}`, '-framerate', `${fps}`]
  const rate = ['-b:v', `${bitsPerSecond}`, '-maxrate', `${bitsPerSecond}`, '-bufsize', `${bitsPerSecond}`]
  const input = [...AT_ONCE, '-f', 'rawvideo', ...picture, '-i', 'pipe:0']
  const process = spawn(
    'ffmpeg',
    ['-hide_banner', '-nostats', '-v', 'level+info', ...input, ...encoder, '-g', `${fps}`, ...rate, ...format, url],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  )
  // Its end is seen by its exit.
  process.stdin.on('error', () => {})
  const draw = createPictures(width, height)
  const frameBytes = (width * height * 3) / 2
  let frames = 1

  createInterface({ input: process.stderr }).on('line', (line) => {
    if (line.includes(CONNECTED)) startedAtMs ??= Date.now()
    if (/\[(error|fatal)\]/.test(line)) console.error(line)
  })
  process.stdin.write(draw(0, startedAtMs ?? Date.now()))
  const timer = setInterval(() => {
    // What was drawn before it was connected would be older than its time.
    while (startedAtMs !== undefined && frames < ((Date.now() - startedAtMs) / 1000) * fps) {
      if (process.stdin.writableLength > MAX_BEHIND * frameBytes) return
      // When it is due, by which ffmpeg counts too, however busy the machine is.
      process.stdin.write(draw(frames, startedAtMs + (frames++ * 1000) / fps))
    }
  }, 5)

  return {
    async stop() {
      clearInterval(timer)
      const exited = process.exitCode === null && once(process, 'exit')
      process.kill('SIGKILL')
      await exited
    },
  }
}

/** A clip of the same, whose clock begins at 0: to be sent by a machine that could not encode it as it goes. */
export function writeClockClip(file: string, seconds: number, options: ClockCameraOptions = {}): void {
  const { width = 1280, height = 720, fps = 30, encoder = H264 } = options
  const draw = createPictures(width, height)
  const pictures = Array.from({ length: seconds * fps }, (_, number) => draw(number, (number * 1000) / fps))
  const picture = ['-pix_fmt', 'yuv420p', '-video_size', `${width}x${height}`, '-framerate', `${fps}`]
  const args = ['-v', 'error', '-y', '-f', 'rawvideo', ...picture, '-i', 'pipe:0', ...encoder, '-g', `${fps}`, file]
  execFileSync('ffmpeg', args, { input: Buffer.concat(pictures) })
}

/** So many rows does the scenery scroll before it begins anew, so many at a time. */
const SCENERY_ROWS = 300
const ROWS_PER_FRAME = 7

function createPictures(width: number, height: number): (number: number, takenAtMs: number) => Buffer {
  const blockPixels = width / BLOCKS
  const scenery = makeScenery(width, height)
  const colours = Buffer.alloc((width * height) / 2, 128)
  return (number, takenAtMs) => {
    const at = ((number * ROWS_PER_FRAME) % SCENERY_ROWS) * width
    const seen = scenery.subarray(at, at + (height - blockPixels) * width)
    return Buffer.concat([drawStrip(takenAtMs, blockPixels), seen, colours])
  }
}

/** Grey noise, of which an encoder takes as many bits as it is given. */
function makeScenery(width: number, height: number): Buffer {
  const scenery = Buffer.alloc(width * (height + SCENERY_ROWS))
  let random = 1
  for (let i = 0; i < scenery.length; i++) {
    // Numerical Recipes' generator, for the same picture every time.
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    scenery[i] = 96 + (random >>> 26)
  }
  return scenery
}

function drawStrip(takenAtMs: number, blockPixels: number): Buffer {
  const { timeBits, sumBits } = CLOCK
  const time = Buffer.alloc(4)
  time.writeUInt32BE(Math.round(takenAtMs) % 2 ** timeBits)
  const bits = [...time, time.reduce((sum, byte) => sum + byte) & (2 ** sumBits - 1)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const row = Buffer.alloc(BLOCKS * blockPixels)
  for (const [index, bit] of [...bits].entries()) {
    row.fill(bit === '1' ? 235 : 16, index * blockPixels, (index + 1) * blockPixels)
  }
  return Buffer.concat(Array.from({ length: blockPixels }, () => row))
}
