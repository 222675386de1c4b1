import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { start } from '../test/support/ffmpeg.ts'
import { createProcessRig } from '../test/support/process-rig.ts'
import { attachNew } from '../test/support/outputs.ts'
import { until } from '../test/support/until.ts'
import { type Benchmark, percent } from './benchmark.ts'
import { costOfFurther } from './further-outputs.ts'
import { cpuSeconds } from './process-usage.ts'

/** One round of the clip, so that each measurement sees the same. */
const SECONDS = 24
const FPS = 15

export const outputs: Benchmark = {
  name: 'outputs',
  title: 'Outputs',
  about: `A live 720p stream of ${FPS} frames a second is processed with the model \`fast\`: what its worker takes of a core (over ${SECONDS} s each) without outputs, with a feed that nobody looks at, and with one RTSP output at 720p. What a further one of the same resolution costs is too little for that: it is measured on one rendition alone, encoding and sending to the service’s media server, with one path and with several in turn.`,
  async run() {
    const rig = await createProcessRig({ AERIE_LOG_LEVEL: 'warn' })
    try {
      const file = join(rig.folder, 'camera.mp4')
      const picture = ['-vf', `scale=1280:720,fps=${FPS}`, '-pix_fmt', 'yuv420p']
      const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', String(FPS)]
      const clip = 'assets/demo/people-walking.mp4'
      await start('ffmpeg', ['-i', clip, ...picture, ...encoder, file]).finished
      const input = ['-re', '-stream_loop', '-1', '-i', file, '-c', 'copy']
      const { sourceId } = await rig.goLive('bench', { input })
      const { process_uuid: id, feed_url: feedUrl } = await rig.start(sourceId)

      const measure = async () => {
        await sleep(3_000)
        const [worker] = rig.workers()
        const before = cpuSeconds(worker!)
        await sleep(SECONDS * 1000)
        const share = (cpuSeconds(worker!) - before) / SECONDS
        return { share, fps: (await rig.info(id)).stats.processed_fps }
      }
      const attach = async (url: string) => {
        const { id: outputId } = await attachNew(rig, id, { type: 'rtsp', url, settings: '720p' })
        await until(async () => {
          const { outputs: attached } = await rig.info(id)
          return attached.find(({ output_uuid: one }) => one === outputId)?.state === 'sending'
        }, 10_000)
        return outputId
      }

      const none = await measure()
      const looking = new AbortController()
      await fetch(feedUrl, { signal: looking.signal })
      looking.abort()
      const unwatched = await measure()
      await attach('rtsp://bench/one')
      const one = await measure()
      const first = one.share - none.share
      const second = await costOfFurther(rig)
      const rateLoss = Math.max(0, 1 - one.fps / none.fps)
      return [
        { what: 'worker without outputs, share of a core', value: percent(none.share) },
        { what: 'the same after somebody looked at the feed and left', value: percent(unwatched.share) },
        { what: 'the first output adds', value: percent(first) },
        {
          what: 'each further output of the same resolution adds, in parts of the first',
          value: percent(second),
          goal: 'under 3 %',
          isMet: second < 0.03,
        },
        {
          what: 'detections a second that an output costs',
          value: percent(rateLoss),
          goal: 'less than the output’s share of a core',
          isMet: rateLoss <= first,
        },
      ]
    } finally {
      await rig.remove()
    }
  },
}
