import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The picture's size, and the strip on its top that encodes when it was taken: a row of black and white blocks. */
export const CLOCK = { width: 1280, height: 720, blockPixels: 32, timeBits: 32, sumBits: 8 } as const

const FPS = 30
/** Frames that the encoder has not taken yet; beyond this the measurement would be one of the encoder. */
const MAX_BEHIND = 15

/** A camera whose every picture says at which millisecond it was taken. 720p30, about 3 Mbit/s, a keyframe a second. */
export function startClockCamera(url: string): { stop(): Promise<void> } {
  const { width, height, blockPixels } = CLOCK
  const input = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', `${width}x${height}`, '-framerate', `${FPS}`]
  const quality = ['-preset', 'ultrafast', '-tune', 'zerolatency', '-g', `${FPS}`, '-b:v', '3M', '-maxrate', '3M']
  const encoder = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', ...input, '-i', 'pipe:0', '-c:v', 'libx264', ...quality, '-bufsize', '3M'],
      ...['-f', 'rtsp', '-rtsp_transport', 'tcp', url],
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  // Its end is seen by its exit.
  encoder.stdin.on('error', () => {})
  const scenery = makeScenery()
  const colours = Buffer.alloc((width * height) / 2, 128)
  const frameBytes = (width * height * 3) / 2
  const startedAtMs = performance.now()
  let frames = 0

  const timer = setInterval(() => {
    while (frames < ((performance.now() - startedAtMs) / 1000) * FPS) {
      if (encoder.stdin.writableLength > MAX_BEHIND * frameBytes) return
      const at = ((frames++ * ROWS_PER_FRAME) % SCENERY_ROWS) * width
      encoder.stdin.write(drawStrip(Date.now()))
      encoder.stdin.write(scenery.subarray(at, at + (height - blockPixels) * width))
      encoder.stdin.write(colours)
    }
  }, 5)

  return {
    async stop() {
      clearInterval(timer)
      const exited = encoder.exitCode === null && once(encoder, 'exit')
      encoder.kill('SIGKILL')
      await exited
    },
  }
}

/** So many rows does the scenery scroll before it begins anew, so many at a time. */
const SCENERY_ROWS = 300
const ROWS_PER_FRAME = 7

/** Grey noise, of which an encoder takes as many bits as it is given. */
function makeScenery(): Buffer {
  const { width, height } = CLOCK
  const scenery = Buffer.alloc(width * (height + SCENERY_ROWS))
  let random = 1
  for (let i = 0; i < scenery.length; i++) {
    // Numerical Recipes' generator, for the same picture every time.
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    scenery[i] = 96 + (random >>> 26)
  }
  return scenery
}

function drawStrip(nowMs: number): Buffer {
  const { width, blockPixels, timeBits, sumBits } = CLOCK
  const time = Buffer.alloc(4)
  time.writeUInt32BE(nowMs % 2 ** timeBits)
  const bits = [...time, time.reduce((sum, byte) => sum + byte) & (2 ** sumBits - 1)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const row = Buffer.alloc(width)
  for (const [index, bit] of [...bits].entries()) {
    row.fill(bit === '1' ? 235 : 16, index * blockPixels, (index + 1) * blockPixels)
  }
  return Buffer.concat(Array.from({ length: blockPixels }, () => row))
}
