import { PictureTooLargeError } from '../../core/picture-limit.ts'
import { dialAddress } from '../../outbound/dial.ts'
import { type OutboundRules } from '../../outbound/rules.ts'
import { type ProbeReport, type ProbeRequest } from '../messages.ts'
import { cameraSentence, RtspClientError } from '../rtsp/client/client-error.ts'
import { OWN_SERVER } from '../rtsp/client/connection.ts'
import { readRtspVideo, type RtspVideoPart } from '../rtsp/client/video-reader.ts'
import { readRtmpVideo } from './rtmp-video.ts'
import { createStreamWatch, type StreamWatch } from './stream-watch.ts'

/** A look at a camera, a server, or a path of our own media server, by the client that processes and the hub read it with. */
export async function lookAtStream(request: ProbeRequest): Promise<ProbeReport> {
  const { input, watchMs, timeoutMs, maxPicture } = request
  const leaving = new AbortController()
  const deadline = setTimeout(() => leaving.abort(), watchMs + timeoutMs)
  const startedAt = performance.now()
  const container = /^rtmps?:/i.test(input) ? 'flv' : 'rtsp'
  let watch: StreamWatch | undefined
  try {
    for await (const part of read[container](request, leaving.signal)) {
      if (part.kind === 'unit') await watch!.take(part.unit)
      else {
        watch?.close()
        watch = undefined
        watch = createStreamWatch(part, { container, maxPicture, startedAt })
      }
      if (watch!.isEnough(watchMs)) break
    }
    if (!watch) throw new Error('It took too long to answer: timed out.')
    return watch.report()
  } catch (error) {
    // What has been seen of a stream that then broke off is worth a report.
    if (watch?.hasSeenAny() && !(error instanceof PictureTooLargeError)) return watch.report()
    throw error instanceof RtspClientError ? new Error(cameraSentence(error), { cause: error }) : error
  } finally {
    clearTimeout(deadline)
    watch?.close()
  }
}

type Read = (request: ProbeRequest, signal: AbortSignal) => AsyncIterable<RtspVideoPart>

/** By FFmpeg's names for the two, which the report has. */
const read: Readonly<Record<'rtsp' | 'flv', Read>> = {
  rtsp: ({ input: url, outbound, timeoutMs: silenceMs }, signal) =>
    readRtspVideo({ url, server: outbound ? { dial: dialBy(outbound) } : OWN_SERVER, silenceMs, signal }),
  flv({ input: url, outbound, timeoutMs: silenceMs }, signal) {
    if (!outbound) throw new Error('Our own media server is looked at by RTSP.')
    return readRtmpVideo({ url, dial: dialBy(outbound), silenceMs, signal })
  },
}

const dialBy = (outbound: OutboundRules) => (hostname: string, port: number) => dialAddress(hostname, port, outbound)
