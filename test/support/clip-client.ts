import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type z } from 'zod'
import { type ClipRecord } from '../../src/clips/clips.schema.ts'
import { cpuMsOf } from './cpu-time.ts'
import { dataFiles } from './data-files.ts'
import { start as startTool } from './ffmpeg.ts'
import { type ProcessRig } from './process-rig.ts'
import { until } from './until.ts'

export type ShownClip = z.infer<typeof ClipRecord>

/** A clip as a file, and what it was answered by before. */
export interface OpenedClip {
  readonly file: string
  /** Of each answer but the last, `Retry-After`. */
  readonly waits: readonly number[]
}

const WORKER = 'cutting/worker.js'

/** Who asks a service for clips, and keeps them as files. */
export function createClipClient(rig: ProcessRig, key = rig.installation.masterKey) {
  let files = 0
  const show = (id: string) => rig.ask<ShownClip>('GET', `/clip/${id}`, { key })
  const ask = (body: object) => rig.ask<ShownClip>('POST', '/clip', { key, body })

  async function done({ clip_uuid: id }: Pick<ShownClip, 'clip_uuid'>): Promise<ShownClip> {
    await until(async () => ['ready', 'failed'].includes((await show(id)).state), 110_000)
    return show(id)
  }

  /** As a link is opened: again after the time that it says, until it plays. */
  async function open(url: string, shownKey = ''): Promise<OpenedClip> {
    const { pathname, search } = new URL(url, rig.service.url)
    const waits: number[] = []
    for (;;) {
      const response = await rig.service.call('GET', pathname + search, { key: shownKey })
      if (response.status === 200) {
        if (response.headers.get('content-type') !== 'video/mp4') throw new Error(`${url} is no video`)
        const file = join(rig.folder, `clip-${files++}.mp4`)
        writeFileSync(file, Buffer.from(await response.arrayBuffer()))
        return { file, waits }
      }
      const body = await response.text()
      if (response.status !== 202) throw new Error(`${url} was answered by ${response.status}: ${body}`)
      waits.push(Number(response.headers.get('retry-after')))
      await sleep(waits.at(-1)! * 1_000)
    }
  }

  const filesOf = (id: string) =>
    dataFiles(rig.installation, 'clips').filter((path) => path.includes(id) && path.includes('.mp4'))

  /** Stops the worker that cuts this as soon as it writes. */
  async function pause(id: string): Promise<number> {
    await until(async () => filesOf(id).length > 0, 60_000)
    const [pid] = rig.service.children(WORKER)
    process.kill(pid!, 'SIGSTOP')
    return pid!
  }

  /** The same once its service has heard how far it is. */
  async function pauseInTheMiddle(id: string): Promise<number> {
    const pid = await pause(id)
    const isHeard = async () => (await show(id)).progress > 0
    for (let turn = 0; turn < 20 && !(await isHeard()); turn++) {
      // It reports twice a second, and is written down every two.
      await sleep(600)
      await letWork(pid, 30)
      await until(isHeard, 3_000).catch(() => {})
    }
    return pid
  }

  return {
    show,
    ask,
    done,
    open,
    pause,
    pauseInTheMiddle,
    filesOf,
    workers: () => rig.service.children(WORKER),
    /** Asks, waits, and brings its parts. */
    async cut(body: object): Promise<{ clip: ShownClip; files: readonly string[] }> {
      const clip = await done(await ask(body))
      const opened: string[] = []
      for (const { url } of clip.parts) opened.push((await open(url)).file)
      return { clip, files: opened }
    },
  }
}

export type ClipClient = ReturnType<typeof createClipClient>

/** What FFmpeg has to say about a file that it decodes to its end. */
export async function decode(file: string): Promise<{ readonly code: number | null; readonly complaints: string }> {
  const { code, complaints } = await startTool('ffmpeg', ['-xerror', '-i', file, '-f', 'null', '-']).finished
  return { code, complaints }
}

export interface Probed {
  readonly codecs: readonly string[]
  readonly seconds: number
  readonly pictures: number
}

/** A file as ffprobe sees it. */
export async function probe(file: string): Promise<Probed> {
  const entries = ['-show_entries', 'stream=codec_name,codec_type,nb_read_packets:format=duration', '-of', 'json', file]
  const { output } = await startTool('ffprobe', ['-count_packets', ...entries]).finished
  const { streams, format } = JSON.parse(output) as {
    streams: { codec_name: string; codec_type: string; nb_read_packets: string }[]
    format: { duration: string }
  }
  const video = streams.find((stream) => stream.codec_type === 'video')!
  return {
    codecs: streams.map((stream) => stream.codec_name),
    seconds: Number(format.duration),
    pictures: Number(video.nb_read_packets),
  }
}

/** Lets one that was stopped go on for so much CPU time. */
async function letWork(pid: number, ms: number): Promise<void> {
  const before = cpuMsOf(pid)
  process.kill(pid, 'SIGCONT')
  while (cpuMsOf(pid) - before < ms) await sleep(2)
  process.kill(pid, 'SIGSTOP')
}
