import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { aPipelineOrder } from '../builders/pipeline-order.ts'
import { type Running, start } from '../support/ffmpeg.ts'
import { clip } from '../support/process-rig.ts'
import { startOpenRtspServer } from '../support/rtsp-server.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { type Box, intersectionOverUnion } from '../../src/core/detection.ts'
import { type Scene } from '../../src/core/scene.ts'
import { type FromWorker } from '../../src/pipeline/messages.ts'
import { type Pipeline, startPipeline } from '../../src/pipeline/run.ts'

const folder = useTemporaryFolder('aerie-still-scene-')
/** A machine that is busy with other things takes its time to see that nothing moves. */
const CHANGE_SECONDS = 24
/** A woman on the grass in one picture of the clip, and where she appears a second time. */
const person = { x: 68, y: 260, width: 60, height: 120 }
const entered: Box = { ...person, x: 210, y: 430, width: 41, height: 100 }

let stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  stops = []
})

/** One picture under the noise of a sensor, into which somebody comes. */
async function film(): Promise<string> {
  const file = join(folder(), 'still.mp4')
  const { x, y, width, height } = person
  const still = `select=eq(n\\,80),loop=-1:1:0,setpts=N/15/TB,split[a][b]`
  const pasted = `[b]crop=${width}:${height}:${x}:${y}[person];[a][person]overlay=200:420:enable='gte(t,${CHANGE_SECONDS})'`
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '15', '-qp', '23']
  const graph = `${still};${pasted},noise=alls=3:allf=t`
  const args = [
    '-y',
    '-i',
    clip,
    '-filter_complex',
    graph,
    '-r',
    '15',
    '-t',
    String(CHANGE_SECONDS + 11),
    ...encoder,
    '-pix_fmt',
    'yuv420p',
  ]
  await start('ffmpeg', [...args, file]).finished
  return file
}

async function publish(file: string): Promise<{ url: string; sender: Running }> {
  const server = await startOpenRtspServer()
  stops.push(() => server.close())
  const args = ['-re', '-i', file, '-c', 'copy', '-f', 'rtsp', '-rtsp_transport', 'tcp', server.url]
  const sender = start('ffmpeg', args, 60_000)
  stops.push(async () => void (await sender.kill()))
  await server.until((hub) => hub.list().length > 0)
  return { url: server.url, sender }
}

function detect(url: string): { pipeline: Pipeline; messages: FromWorker[] } {
  const messages: FromWorker[] = []
  const order = aPipelineOrder('', folder(), {
    input: { kind: 'hub', path: 'ada/cam', url },
    isCrowded: true,
  })
  const pipeline = startPipeline(order, (message) => void messages.push(message))
  stops.push(() => pipeline.close())
  return { pipeline, messages }
}

test(
  'on a crowded machine a still scene is hardly decoded, and who enters it is found all the same',
  { timeout: 120_000 },
  async () => {
    const file = await film()
    const startedAtMs = Date.now()
    const { url } = await publish(file)
    const { messages } = detect(url)
    const scenes = () => messages.flatMap((one) => (one.type === 'scene' ? [one.scene] : []))
    const statistics = () => messages.flatMap((one) => (one.type === 'stats' ? [one.stats] : []))
    await until(async () => statistics().some(({ sparedLoad = 0 }) => sparedLoad > 0), 40_000)
    const isHere = ({ tracks }: Scene) => tracks.some(({ box }) => intersectionOverUnion(box, entered) > 0.6)
    await until(async () => scenes().some(isHere), 40_000)

    const found = scenes().find(isHere)!
    const enteredAtMs = startedAtMs + CHANGE_SECONDS * 1000
    // The keyframes are a second apart.
    expect(found.takenAtMs - enteredAtMs).toBeLessThan(3_000)
    const before = scenes().filter(({ takenAtMs }) => takenAtMs < enteredAtMs)
    // However seldom they are decoded, its pictures are told.
    const steps = before.slice(1).map(({ takenAtMs }, at) => takenAtMs - before[at]!.takenAtMs)
    expect(Math.max(...steps)).toBeLessThan(2_000)
  },
)
