import { join } from 'node:path'
import { type Running, start } from '../test/support/ffmpeg.ts'
import { clip, type ProcessRig } from '../test/support/process-rig.ts'
import { until } from '../test/support/until.ts'

export const WALL_FPS = 15

/** How many cameras show people who walk, and how many one picture for ever. */
export interface Wall {
  readonly moving: number
  readonly still: number
}

export interface CameraWall {
  /** Those that move first. */
  readonly sourceIds: readonly string[]
  stop(): Promise<void>
}

const picture = ['-vf', `scale=1280:720,fps=${WALL_FPS}`, '-pix_fmt', 'yuv420p']
const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', String(WALL_FPS)]
/** One picture of the clip under the noise of a sensor, which every encoder spends bits on. */
const standing = `select=eq(n\\,80),loop=-1:1:0,setpts=N/${WALL_FPS}/TB,scale=1280:720,noise=alls=3:allf=t`

/** Cameras of 720p that publish by RTSP. What they send is encoded beforehand, and two programs send it to all paths: they take next to nothing of the CPU. */
export async function startCameraWall(rig: ProcessRig, { moving, still }: Wall, maxMs: number): Promise<CameraWall> {
  const files = { moving: join(rig.folder, 'moving.mp4'), still: join(rig.folder, 'still.mp4') }
  await start('ffmpeg', ['-y', '-i', clip, ...picture, ...encoder, files.moving]).finished
  const held = ['-vf', standing, '-r', String(WALL_FPS), '-t', '10', '-pix_fmt', 'yuv420p']
  await start('ffmpeg', ['-y', '-i', clip, ...held, ...encoder, files.still]).finished
  const names = (kind: 'moving' | 'still', count: number) => Array.from({ length: count }, (_, at) => `${kind}-${at}`)
  const all = { moving: names('moving', moving), still: names('still', still) }
  const senders = (['moving', 'still'] as const).flatMap((kind) =>
    all[kind].length > 0 ? [sendTo(rig, files[kind], all[kind], maxMs)] : [],
  )
  const sourceIds: string[] = []
  for (const name of [...all.moving, ...all.still]) sourceIds.push(await rig.register(name))
  const isLive = async () => {
    const sources = await rig.ask<{ status: string }[]>('GET', '/sources')
    return sources.filter(({ status }) => status === 'streaming').length >= sourceIds.length
  }
  await until(isLive, 30_000)
  return { sourceIds, stop: async () => void (await Promise.all(senders.map((sender) => sender.kill()))) }
}

function sendTo(rig: ProcessRig, file: string, names: readonly string[], maxMs: number): Running {
  const credentials = `admin:${rig.installation.masterKey}`
  const targets = names.map(
    (name) => `[f=rtsp:rtsp_transport=tcp]rtsp://${credentials}@127.0.0.1:${rig.rtsp}/admin/${name}`,
  )
  const args = ['-re', '-stream_loop', '-1', '-i', file, '-map', '0:v', '-c', 'copy', '-f', 'tee', targets.join('|')]
  return start('ffmpeg', args, maxMs)
}
