import { serveParent } from '../supervise/child-entry.ts'
import { cut } from './cutter.ts'
import { type FromCutter, type ToCutter } from './messages.ts'
import { CutError } from './recorded-video.ts'

/**
 * Cuts one clip, and goes. Whatever a broken recording does to the decoder, it does it here.
 *
 *   main ──cut──▶ worker (read, decode, draw, encode, write)
 *        ◀──progress, then done or failed──
 */
const parent = serveParent<ToCutter, FromCutter>(
  ({ order }) => void work(order),
  () => {},
)

const PROGRESS_EVERY_MS = 500

async function work(order: ToCutter['order']): Promise<void> {
  let sentAtMs = performance.now()
  const onProgress = (share: number) => {
    if (performance.now() - sentAtMs < PROGRESS_EVERY_MS) return
    sentAtMs = performance.now()
    parent.send({ type: 'progress', share })
  }
  try {
    const { parts, gaps } = await cut(order, onProgress)
    const { user, system } = process.cpuUsage()
    await parent.flush({ type: 'done', parts, gaps, cpuMs: Math.round((user + system) / 1000) })
  } catch (error) {
    // What nobody foresaw ends the process, as a crash would: who watches starts it again, or gives up.
    if (!(error instanceof CutError)) throw error
    await parent.flush({ type: 'failed', reason: error.reason, sentence: error.message })
  }
}
