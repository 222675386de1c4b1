import { spawnSync } from 'node:child_process'
import { droneInTheSky } from './drawn-objects.ts'

/** A drone that goes round and round in the sky; the end of the clip joins its beginning. */
export const droneClip = {
  width: 640,
  height: 480,
  fps: 10,
  seconds: 8,
  /** Of the drone's way, from its middle: pixels. */
  centre: { x: 320, y: 210 },
  reach: { x: 160, y: 60 },
} as const

const DRONE_WIDTH = 40

/** Draws it and writes it as H.264. */
export function writeDroneClip(file: string): void {
  const { width, height, fps, seconds } = droneClip
  const frames = Array.from({ length: fps * seconds }, (_, index) => drawFrame(index / (fps * seconds)))
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', String(fps), '-i', '-']
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '16', '-g', String(fps), '-bf', '0']
  const args = ['-v', 'error', '-y', ...input, '-pix_fmt', 'yuv420p', ...encoder, file]
  const { stderr } = spawnSync('ffmpeg', args, { input: Buffer.concat(frames) })
  if (stderr.length > 0) throw new Error(stderr.toString())
}

function drawFrame(phase: number): Buffer {
  const { width, height, centre, reach } = droneClip
  const x = centre.x + reach.x * Math.sin(2 * Math.PI * phase)
  const y = centre.y + reach.y * Math.cos(2 * Math.PI * phase)
  const colourAt = droneInTheSky({ x, y, width: DRONE_WIDTH }, height)
  const bytes = Buffer.alloc(3 * width * height)
  for (let row = 0; row < height; row++) {
    const sky = Buffer.from(colourAt(-1000, row + 0.5))
    bytes.fill(sky, 3 * row * width, 3 * (row + 1) * width)
    if (Math.abs(row - y) > DRONE_WIDTH) continue
    const [from, to] = [Math.floor(x - DRONE_WIDTH), Math.ceil(x + DRONE_WIDTH)]
    for (let column = from; column < to; column++)
      bytes.set(smoothed(colourAt, column, row), 3 * (row * width + column))
  }
  return bytes
}

/** The mean of four points in a pixel, so that edges are as soft as a camera's. */
function smoothed(colourAt: ReturnType<typeof droneInTheSky>, column: number, row: number): number[] {
  const points = [0.25, 0.75].flatMap((dy) => [0.25, 0.75].map((dx) => colourAt(column + dx, row + dy)))
  return [0, 1, 2].map((channel) => points.reduce((sum, point) => sum + point[channel]!, 0) / points.length)
}
