import { spawn } from 'node:child_process'
import { splitByStartCodes } from '../../src/media/rtp/annex-b.ts'
import { type EncodedPicture } from '../../src/media/rtmp/client/video-sender.ts'
import { beginsH264AccessUnit, isH264Slice } from '../../src/media/rtp/h264-nal-unit.ts'

export interface ClipOptions {
  readonly size?: string
  readonly seconds?: number
  readonly fps?: number
}

/** Real H.264, with a keyframe and its parameter sets every second, and no B pictures. */
export async function encodeClip({ size = '320x180', seconds = 2, fps = 25 }: ClipOptions = {}): Promise<
  EncodedPicture[]
> {
  const source = `testsrc2=size=${size}:rate=${fps}:duration=${seconds}`
  const encoder = [
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-g',
    `${fps}`,
  ]
  const child = spawn('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, ...encoder, '-f', 'h264', '-'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const parts: Buffer[] = []
  for await (const part of child.stdout) parts.push(part as Buffer)
  return groupByPicture(splitByStartCodes(Buffer.concat(parts))).map((nalUnits, index) => ({
    nalUnits,
    ptsMs: 5_000 + (index * 1000) / fps,
    isKeyframe: nalUnits.some((unit) => (unit[0]! & 0x1f) === 5),
  }))
}

function groupByPicture(units: readonly Buffer[]): Buffer[][] {
  const pictures: Buffer[][] = []
  for (const unit of units) {
    const current = pictures.at(-1)
    if (!current || (beginsH264AccessUnit(unit) && current.some(isH264Slice))) pictures.push([unit])
    else current.push(unit)
  }
  return pictures
}
