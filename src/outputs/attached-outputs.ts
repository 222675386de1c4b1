import { type VideoOutput } from '../core/video-output.ts'
import { linesOf, type Output } from './output.ts'
import { type OutputStore } from './outputs.store.ts'

/** Undefined for the websockets, which clients open by themselves. */
export function toVideoOutput({ id, type, url, mediaPath, settings }: Output): VideoOutput | undefined {
  const lines = linesOf(settings)
  if (type === 'rtsp') return { id, lines, target: { kind: 'hub', path: mediaPath! } }
  if (type === 'rtmp') return { id, lines, target: { kind: 'rtmp', url: url! } }
  return undefined
}

/** What is attached to processes, as it is written: for processes, which are made before outputs can be attached to them. */
export function createAttachedOutputs(store: Pick<OutputStore, 'listAttached'>) {
  return {
    list: (processId: string): Promise<Output[]> => store.listAttached(processId),
    async listVideos(processId: string): Promise<VideoOutput[]> {
      return (await store.listAttached(processId)).flatMap((output) => toVideoOutput(output) ?? [])
    },
  }
}
