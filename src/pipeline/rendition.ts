import { type OutputPicture } from './encode/output-picture.ts'
import { createVideoEncoder } from './encode/video-encoder.ts'
import { type EncodedPicture } from './picture.ts'
import { splitByStartCodes } from '../media/rtp/annex-b.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { createHubPackets } from './send/hub-packets.ts'
import { memoizeLast } from './send/memoize-last.ts'
import { type OpenSink } from './send/open-sink.ts'
import { type CodedPicture, type OnSinkState, type Sink } from './send/sink.ts'

/** The processed video at one resolution: encoded once, sent to every output that wants it so. */
export interface Rendition {
  readonly isWanted: boolean
  attach(output: VideoOutput, onState: OnSinkState): void
  /** Whether it was one of ours. */
  detach(outputId: string): Promise<boolean>
  encode(picture: OutputPicture, timeMs: number): void
  /** There is no picture, for this reason; until there is one again. */
  fail(sentence: string): void
  close(): Promise<void>
}

interface Attached {
  readonly sink: Sink
  readonly leave: () => void
  /** Reports the state: our own trouble first, then the sink's. */
  readonly report: () => void
}

/** `fps` is written into the stream for players; read when encoding begins. */
export function createRendition(fps: () => number, openSink: OpenSink): Rendition {
  const attached = new Map<string, Attached>()
  const hubPackets = createHubPackets()
  /** Why there is no picture. */
  let trouble: string | null = null
  const withParts = memoizeLast((encoded: EncodedPicture): CodedPicture => ({
    ...encoded,
    nalUnits: splitByStartCodes(encoded.data),
  }))
  const encoder = createVideoEncoder({
    fps,
    onFailed: ({ message }) => setTrouble(`The picture cannot be encoded: ${message}`),
  })

  function setTrouble(sentence: string | null): void {
    if (sentence === trouble) return
    trouble = sentence
    for (const { report } of attached.values()) report()
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
      let latest: Parameters<OnSinkState> = ['connecting', null]
      const report = () => (trouble === null ? onState(...latest) : onState('waiting', trouble))
      const sink = openSink(output.target, hubPackets, (...state) => {
        latest = state
        report()
      })
      const leave = encoder.subscribe((encoded) => {
        setTrouble(null)
        sink.write(withParts(encoded))
      })
      attached.set(output.id, { sink, leave, report })
    },
    detach,
    encode: (picture, timeMs) => encoder.encode(picture, timeMs),
    fail: setTrouble,
    async close() {
      await Promise.all([...attached.keys()].map(detach))
      await encoder.close()
    },
  }
}
