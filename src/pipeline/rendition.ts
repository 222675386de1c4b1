import { type OutputPicture } from './encode/output-picture.ts'
import { createVideoEncoder } from './encode/video-encoder.ts'
import { type OutputState, type PipelineOutput } from './messages.ts'
import { createHubSink } from './send/hub-sink.ts'
import { createRecordingSink } from './send/recording-sink.ts'
import { createRtmpSink } from './send/rtmp-sink.ts'
import { type OnSinkState, type Sink } from './send/sink.ts'

/** The processed video at one resolution: encoded once, sent to every output that wants it so. */
export interface Rendition {
  readonly isWanted: boolean
  attach(output: PipelineOutput, onState: OnSinkState): void
  /** Whether it was one of ours. */
  detach(outputId: string): Promise<boolean>
  encode(picture: OutputPicture, timeMs: number): void
  /** The same to every output. */
  tellAll(state: OutputState, sentence: string): void
  close(): Promise<void>
}

interface Attached {
  readonly sink: Sink
  readonly onState: OnSinkState
  readonly leave: () => void
}

/** `fps` is told to players; asked when encoding begins. */
export function createRendition(fps: () => number): Rendition {
  const attached = new Map<string, Attached>()
  const encoder = createVideoEncoder({
    fps,
    onFailed: ({ message }) => tellAll('waiting', `The picture cannot be encoded: ${message}`),
  })

  function tellAll(state: OutputState, sentence: string): void {
    for (const { onState } of attached.values()) onState(state, sentence)
  }

  async function detach(outputId: string): Promise<boolean> {
    const one = attached.get(outputId)
    attached.delete(outputId)
    one?.leave()
    await one?.sink.close()
    return one !== undefined
  }

  return {
    get isWanted() {
      return attached.size > 0
    },
    attach(output, onState) {
      if (attached.has(output.id)) return
      const sink = createSink(output, onState)
      attached.set(output.id, { sink, onState, leave: encoder.subscribe((picture) => sink.write(picture)) })
    },
    detach,
    encode: (picture, timeMs) => encoder.encode(picture, timeMs),
    tellAll,
    async close() {
      await Promise.all([...attached.keys()].map(detach))
      await encoder.close()
    },
  }
}

function createSink({ target }: PipelineOutput, onState: OnSinkState): Sink {
  switch (target.kind) {
    case 'hub':
      return createHubSink(target.url, onState)
    case 'rtmp':
      return createRtmpSink(target.url, target.outbound, onState)
    case 'recording':
      return createRecordingSink(target.folder, onState)
  }
}
