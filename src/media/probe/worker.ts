import { serveParent } from '../../supervise/child-entry.ts'
import { type FromProber, type ToProber } from '../messages.ts'
import { look } from './look.ts'

const CHECK_MEMORY_EVERY_MS = 50

/** The prober's process: one look, one answer. Whatever a broken file does to the decoder, it does it here. */
const parent = serveParent<ToProber, FromProber>(
  (request) => {
    setInterval(() => {
      if (process.memoryUsage.rss() > request.maxMemoryBytes) leave(request.maxMemoryBytes)
    }, CHECK_MEMORY_EVERY_MS).unref()
    look(request).then(
      (report) => parent.send({ type: 'report', report }),
      (error: unknown) => parent.send({ type: 'failed', sentence: (error as Error).message }),
    )
  },
  () => {},
)

/** FFmpeg works in threads of its own, which nothing but the end of the process stops. */
function leave(maxMemoryBytes: number): void {
  const sentence = `It takes more than the ${Math.round(maxMemoryBytes / 2 ** 20)} MB of memory that are given to a look at it.`
  void parent.flush({ type: 'failed', sentence }).finally(() => process.kill(process.pid, 'SIGKILL'))
}
