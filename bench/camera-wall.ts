import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
/** The clip begins anew every ten seconds, which no camera does: of one quality throughout, nobody sees where. */
const evenly = ['-qp', '23']
/** One picture of the clip under the noise of a sensor, which every encoder spends bits on. */
const standing = `select=eq(n\\,80),loop=-1:1:0,setpts=N/${WALL_FPS}/TB,scale=1280:720,noise=alls=3:allf=t`

/** Programs that send to several paths each take next to nothing of the CPU. But cameras do not all send their keyframes at the same moment. */
const PATHS_A_SENDER = 4
const SENDERS_APART_MS = 370

/** Cameras of 720p that publish by RTSP what was encoded beforehand. */
export async function startCameraWall(rig: ProcessRig, { moving, still }: Wall, maxMs: number): Promise<CameraWall> {
  const files = { moving: join(rig.folder, 'moving.mp4'), still: join(rig.folder, 'still.mp4') }
  await start('ffmpeg', ['-y', '-i', clip, ...picture, ...encoder, files.moving]).finished
  const held = ['-vf', standing, '-r', String(WALL_FPS), '-t', '10', '-pix_fmt', 'yuv420p']
  await start('ffmpeg', ['-y', '-i', clip, ...held, ...encoder, ...evenly, files.still]).finished
  const names = (kind: 'moving' | 'still', count: number) => Array.from({ length: count }, (_, at) => `${kind}-${at}`)
  const all = { moving: names('moving', moving), still: names('still', still) }
  const senders: Running[] = []
  for (const kind of ['moving', 'still'] as const)
    for (const [at, names] of groupsOf(all[kind], PATHS_A_SENDER).entries()) {
      senders.push(sendTo(rig, files[kind], names, maxMs))
      if (at > 0) await sleep(SENDERS_APART_MS)
    }
  const sourceIds: string[] = []
  for (const name of [...all.moving, ...all.still]) sourceIds.push(await rig.register(name))
  const isLive = async () => {
    const sources = await rig.ask<{ status: string }[]>('GET', '/sources')
    return sources.filter(({ status }) => status === 'streaming').length >= sourceIds.length
  }
  await until(isLive, 30_000)
  return { sourceIds, stop: async () => void (await Promise.all(senders.map((sender) => sender.kill()))) }
}

function groupsOf<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size)
  return Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size))
}

function sendTo(rig: ProcessRig, file: string, names: readonly string[], maxMs: number): Running {
  const credentials = `admin:${rig.installation.masterKey}`
  const targets = names.map(
    (name) => `[f=rtsp:rtsp_transport=tcp]rtsp://${credentials}@127.0.0.1:${rig.rtsp}/admin/${name}`,
  )
  const args = ['-re', '-stream_loop', '-1', '-i', file, '-map', '0:v', '-c', 'copy', '-f', 'tee', targets.join('|')]
  return start('ffmpeg', args, maxMs)
}
