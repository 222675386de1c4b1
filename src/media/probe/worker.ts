import '../../av/polyfill.ts'
import { ffmpegMessage, fileFault, streamFault } from '../../av/faults.ts'
import { openInput } from '../../av/input.ts'
import { checkSampleClaims } from '../../av/sample-claims.ts'
import { serveParent } from '../../supervise/child-entry.ts'
import { type FromProber, type ProbeReport, type ProbeRequest, type ToProber } from '../messages.ts'
import { lookAtFile } from './look-at-file.ts'
import { lookAtStream } from './look-at-stream.ts'

/** The prober's process: one look, one answer. Whatever a broken file does to the decoder, it does it here. */
const parent = serveParent<ToProber, FromProber>(
  (request) => {
    look(request).then(
      (report) => parent.send({ type: 'report', report }),
      (error: unknown) =>
        parent.send({ type: 'failed', sentence: streamFault(error), ffmpegMessage: ffmpegMessage(error) }),
    )
  },
  () => {},
)

/** Opens a file or a stream, decodes its first picture, watches it for a while and says what it is. */
async function look(request: ProbeRequest): Promise<ProbeReport> {
  if (request.isLive) return lookAtStream(request)
  const startedAt = performance.now()
  checkSampleClaims(request.input)
  const input = await openInput(request.input, { timeoutMs: request.timeoutMs }).catch((error: unknown) => {
    throw new Error(fileFault(error), { cause: error })
  })
  try {
    return await lookAtFile(input, request, startedAt)
  } finally {
    await input.close()
  }
}
