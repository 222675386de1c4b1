import { ffmpegMessage, streamFault } from '../../av/stream-fault.ts'
import { serveParent } from '../../supervise/child-entry.ts'
import { type FromProber, type ToProber } from '../messages.ts'
import { look } from './look.ts'

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
