import './polyfill.ts'
import {
  AV_LOG_QUIET,
  AV_NOPTS_VALUE,
  AVMEDIA_TYPE_VIDEO,
  Dictionary,
  FormatContext,
  InputFormat,
  Log,
  Packet,
  type Stream,
} from 'node-av'
import { check } from './faults.ts'

/** An opened file or stream, read packet by packet. */
export interface Input {
  readonly format: FormatContext
  readonly streams: readonly Stream[]
  readonly video: Stream | undefined
  /** The next packet, which stays valid until the next call; undefined at the end, or when the stream has stalled for `timeoutMs`. */
  read(): Promise<Packet | undefined>
  /** Makes a blocked `read` return. Call it before `close`, which must not run while a read is under way. */
  interrupt(): void
  close(): Promise<void>
}

export interface InputOptions {
  /** How long a stream may be silent. */
  readonly timeoutMs: number
  /** How much of a stream may be looked at before it is understood. */
  readonly analyzeMs?: number
  /** Begin with what comes next instead of what was looked at: for readers that must be on time rather than complete. */
  readonly skipsLookedAt?: boolean
  /** The name of FFmpeg's demuxer for a file that is no video container; by default only those are opened. */
  readonly demuxer?: string
}

// Its own lines would break our log, which is JSON and never holds a secret; what went wrong comes as an error.
Log.setLevel(AV_LOG_QUIET)

/**
 * FFmpeg decodes some pictures to find out what a stream is, without any limit on their size. Sizes and parameter sets are
 * known without; so only sound is decoded here, and pictures by decoders with a limit.
 */
const DECODED_WHILE_OPENING = 'aac,mp3float,mp3,opus,libopus,pcm_alaw,pcm_mulaw'

export async function openInput(
  url: string,
  { timeoutMs, analyzeMs = 500, skipsLookedAt = false, demuxer }: InputOptions,
): Promise<Input> {
  const format = new FormatContext()
  const options = Dictionary.fromObject({
    ...optionsFor(url, timeoutMs, analyzeMs),
    codec_whitelist: DECODED_WHILE_OPENING,
    ...(skipsLookedAt && { fflags: 'nobuffer' }),
    ...(demuxer && { format_whitelist: demuxer }),
  })
  try {
    check(await format.openInput(url, demuxer ? InputFormat.findInputFormat(demuxer) : null, options))
    check(await format.findStreamInfo(null))
  } catch (error) {
    await format.closeInput().catch(() => {})
    throw error
  } finally {
    options.free()
  }
  const streams = format.streams ?? []
  const packet = new Packet()
  packet.alloc()
  const unread = new Set(isRtsp(url) ? streams.map(({ index }) => index) : [])

  return {
    format,
    streams,
    video: streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO),
    async read() {
      packet.unref()
      const result = await format.readFrame(packet)
      // A stall, an end and a publisher's death all end the stream; the caller knows which it can be.
      if (result < 0) return undefined
      if (unread.delete(packet.streamIndex)) dateFirst(packet)
      return packet
    },
    interrupt: () => format.interrupt(),
    async close() {
      packet.free()
      await format.closeInput()
    },
  }
}

/** FFmpeg's RTSP client counts from the first picture of each stream, but loses the time of that one, which is a keyframe. */
function dateFirst(packet: Packet): void {
  if (packet.pts === AV_NOPTS_VALUE && packet.dts === AV_NOPTS_VALUE) packet.pts = 0n
}

const isRtsp = (url: string) => /^rtsps?:/.test(url)

function optionsFor(url: string, timeoutMs: number, analyzeMs: number): Record<string, string> {
  const microseconds = String(timeoutMs * 1000)
  const analyzeduration = String(analyzeMs * 1000)
  // Our own media server's: those of others are read by our own clients.
  if (isRtsp(url)) return { rtsp_transport: 'tcp', timeout: microseconds, analyzeduration }
  // A playlist or a script in a video's clothes must not make us read other files.
  return { protocol_whitelist: 'file', format_whitelist: 'mov,mp4,m4a,3gp,3g2,mj2,avi' }
}
