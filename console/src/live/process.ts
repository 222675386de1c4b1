import { AerieError, type ProcessInfo, type SourceRecord } from '@aerie/client'
import { ask } from '../ask.ts'
import { api } from '../service.ts'
import { latestEnded } from './end-words.ts'

const PREVIEW_LINES = 360
const MAX_ENDED = 5

/** A process beside the source that it watches. */
export interface WatchedProcess {
  readonly process: ProcessInfo
  readonly source: SourceRecord | undefined
}

export const listLive = () => ask(api.GET('/processes', { params: { query: { state: 'live', limit: 1000 } } }))

export const loadLive = () => withSources(listLive())

/** Of the hundred that began last. */
export const loadEnded = () => withSources(ask(api.GET('/processes')).then((all) => latestEnded(all, MAX_ENDED)))

async function withSources(asked: Promise<ProcessInfo[]>): Promise<WatchedProcess[]> {
  const [processes, sources] = await Promise.all([
    asked,
    ask(api.GET('/sources', { params: { query: { limit: 1000 } } })),
  ])
  return processes.map((process) => ({
    process,
    source: sources.find(({ source_uuid }) => source_uuid === process.source_uuid),
  }))
}

export async function loadOne(processId: string): Promise<WatchedProcess> {
  const process = await ask(api.GET('/process/{process_uuid}', { params: { path: { process_uuid: processId } } }))
  const params = { path: { source_id: process.source_uuid } }
  const source = await ask(api.GET('/source/{source_id}', { params })).catch(undefinedIfRemoved)
  return { process, source }
}

/** A source may be gone while its process is still remembered; any other failure says nothing about it. */
function undefinedIfRemoved(error: unknown): undefined {
  if (!(error instanceof AerieError) || error.code !== 'source-not-found') throw error
}

export const isLive = ({ state }: ProcessInfo) => !['stopped', 'finished', 'failed'].includes(state)

/** Of a source that is removed its address, where that is the reader's business. */
export const nameOf = ({ process, source }: WatchedProcess) =>
  source?.alias ?? (process.source_url || process.source_uuid)

/**
 * Where on the media server it can be watched now; null where it comes as motion JPEG. While the source is lost nowhere, also
 * of a process that is paused: the feed shows its last picture, and says so.
 */
export function pathOf({ process, source }: WatchedProcess): string | null {
  if (process.error !== null) return null
  const [, path] = /\/webrtc\/(.+)$/.exec(source?.webrtc_url ?? '') ?? []
  return path ?? null
}

/** Whether a preview has fewer lines than the source. Of a source that says nothing of its size it is supposed. */
export const isLarge = ({ source }: WatchedProcess) => (source?.video?.height ?? Infinity) > PREVIEW_LINES

export function figuresOf({ stats, state }: ProcessInfo): string {
  if (state !== 'running') return ''
  const latency = stats.latency_ms_p50 === null ? '' : ` · ${Math.round(stats.latency_ms_p50)} ms`
  return `${stats.processed_fps.toFixed(1)} fps${latency}`
}
