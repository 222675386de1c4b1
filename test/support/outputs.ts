import { type ProcessRig } from './process-rig.ts'
import { start } from './ffmpeg.ts'

export interface OutputRecord {
  readonly output_uuid: string
  readonly process_uuid: string | null
}

export interface AttachedOutput {
  readonly url: string
  readonly hls_url: string | null
  readonly webrtc_url: string | null
}

export function registerOutput(rig: ProcessRig, body: Record<string, unknown>): Promise<OutputRecord> {
  return rig.ask('POST', '/output', { body: { alias: 'test', ...body } })
}

export async function attachNew(
  rig: ProcessRig,
  processId: string,
  body: Record<string, unknown>,
): Promise<AttachedOutput & { id: string }> {
  const { output_uuid: id } = await registerOutput(rig, body)
  return { ...(await rig.ask<AttachedOutput>('POST', `/process/${processId}/${id}`)), id }
}

export interface ProbedVideo {
  readonly codec_name: string
  readonly width: number
  readonly height: number
  readonly frames: number
}

/** What a player finds at an address, after this many frames of it. */
export async function probe(url: string, maxFrames = 20): Promise<ProbedVideo> {
  const transport = url.startsWith('rtsp') ? ['-rtsp_transport', 'tcp'] : []
  const { output, complaints } = await start('ffprobe', [
    ...transport,
    ...['-read_intervals', `%+#${maxFrames}`, '-count_packets', '-select_streams', 'v:0', '-of', 'json'],
    ...['-show_entries', 'stream=codec_name,width,height,nb_read_packets', url],
  ]).finished
  const [stream] = (JSON.parse(output || '{}') as { streams?: Record<string, unknown>[] }).streams ?? []
  if (!stream) throw new Error(`ffprobe found no video at ${url}: ${complaints}`)
  return { ...stream, frames: Number(stream['nb_read_packets']) } as unknown as ProbedVideo
}

/** Seconds of a file. */
export async function durationOf(file: string): Promise<number> {
  const { output } = await start('ffprobe', ['-show_entries', 'format=duration', '-of', 'csv=p=0', file]).finished
  return Number(output)
}
