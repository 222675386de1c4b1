import { createDeferred } from '../../core/deferred.ts'
import { readRtmpStream, type ReadRtmpOptions } from '../rtmp/client/stream-reader.ts'
import { createUnitInbox, type UnitInbox } from '../rtsp/client/unit-inbox.ts'
import { chooseVideo, type RtspVideoPart, usableVideo } from '../rtsp/client/video-reader.ts'

type Opened = Extract<RtspVideoPart, { kind: 'opened' }>

const SILENT_LOG = { info() {}, warn() {} }

/** One reading of the video of an RTMP stream, without decoding. Throws a sentence when it is over, unless we left. */
export async function* readRtmpVideo(
  options: Pick<ReadRtmpOptions, 'url' | 'dial' | 'silenceMs' | 'signal'>,
): AsyncGenerator<RtspVideoPart, void, undefined> {
  const { silenceMs, signal } = options
  const leaving = new AbortController()
  const opened = createDeferred<Opened | undefined>()
  let video = -1
  let inbox: UnitInbox | undefined
  let failure: Error | undefined
  const reading = readRtmpStream({
    ...options,
    publication: {
      path: 'the looked at',
      start(description) {
        video = chooseVideo(description.tracks)
        const track = usableVideo(description.tracks[video])
        inbox = createUnitInbox(track, silenceMs)
        opened.resolve({ kind: 'opened', track, description })
      },
      write(track, data) {
        if (track === video) inbox?.packet(track, data)
      },
      // RTMP has no clock of the sender: what is reported here is when pictures arrived.
      report() {},
    },
    log: SILENT_LOG,
    signal: AbortSignal.any([signal, leaving.signal]),
  })
    .catch((error: Error) => (failure = error))
    .finally(() => {
      inbox?.end('its reading is over')
      opened.resolve(undefined)
    })

  try {
    const stream = await opened.promise
    if (stream) {
      yield stream
      for await (const unit of inbox!.units()) yield { kind: 'unit', unit }
    }
    if (failure) throw failure
    if (!signal.aborted) inbox?.outcome()
  } finally {
    leaving.abort()
    await reading
  }
}
