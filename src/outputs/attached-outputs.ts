import { type VideoOutput } from '../core/video-output.ts'
import { kindOf } from './kinds/kinds.ts'
import { linesOf, type Output } from './output.ts'
import { type OutputStore } from './outputs.store.ts'

/** Undefined for the websockets, which clients open by themselves. */
export function toVideoOutput(output: Output): VideoOutput | undefined {
  const { id, url, mediaPath, settings } = output
  const { video } = kindOf(output)
  return video ? { id, lines: linesOf(settings), target: video.targetOf({ url: url!, mediaPath }) } : undefined
}

/** What is attached to processes, as it is written: for processes, which are made before outputs can be attached to them. */
export function createAttachedOutputs(store: Pick<OutputStore, 'listAttached'>) {
  return {
    listAttached: (processIds: readonly string[]): Promise<Output[]> => store.listAttached(processIds),
    async listVideos(processId: string): Promise<VideoOutput[]> {
      return (await store.listAttached([processId])).flatMap((output) => toVideoOutput(output) ?? [])
    },
  }
}
