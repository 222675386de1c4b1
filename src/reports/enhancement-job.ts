import { type Clock } from '../core/clock.ts'
import { type EnhancedData, type TrackToEnhance } from '../enhance/messages.ts'
import { type Log } from '../observe/log.ts'
import { type JobKind } from '../storage/job-runner.ts'
import { ENHANCEMENT_JOB, type EnhancementRun, type EnhancementStore } from './enhancement.store.ts'
import { type Enhancer, EnhancerDied, EnhancerUnusable } from './enhancer.ts'
import { type PictureFiles } from './picture-files.ts'
import { type PictureStore } from './pictures.store.ts'
import { toTrackToEnhance } from './track-to-enhance.ts'

export interface EnhancementJobDeps {
  readonly store: Pick<EnhancementStore, 'isRunning' | 'end' | 'listWaiting' | 'listSizes' | 'put' | 'progress'>
  readonly pictures: Pick<PictureStore, 'listOf'>
  readonly files: Pick<PictureFiles, 'pathOf'>
  readonly enhancer: Enhancer
  readonly clock: Clock
  readonly log: Log
}

const MOST_DEATHS = 3
/** Other trouble, such as a database that is away, is waited for; but nobody waits for ever. */
const MOST_ATTEMPTS = 10
const PAGE = 100

/**
 * Enhances one report, track after track. Each track is written as it is done, so that a run that was interrupted goes on
 * where it was.
 */
export function enhancementJob({ store, pictures, files, enhancer, clock, log }: EnhancementJobDeps): JobKind {
  const end = (run: EnhancementRun, status: 'FINISHED' | 'FAILED', reason: string | null) =>
    store.end(run, status, reason, clock.now())

  async function enhanceAll(run: EnhancementRun, signal: AbortSignal): Promise<void> {
    let deaths = 0
    const enhance = async (track: TrackToEnhance): Promise<EnhancedData | null> => {
      for (;;) {
        signal.throwIfAborted()
        try {
          return await enhancer.enhance(track)
        } catch (error) {
          signal.throwIfAborted()
          if (!(error instanceof EnhancerDied) || ++deaths >= MOST_DEATHS) throw error
          log.warn({ err: error, process_uuid: run.processId, deaths }, 'enhancement: starting the worker again')
        }
      }
    }

    for (;;) {
      const waiting = await store.listWaiting(run.processId, PAGE)
      if (waiting.length === 0) return
      for (const { trackId, className } of waiting) {
        signal.throwIfAborted()
        if (!(await store.isRunning(run))) return
        const shown = await pictures.listOf(run.processId, trackId)
        const sizes = await store.listSizes(run.processId, trackId)
        const data = await enhance(toTrackToEnhance(className, shown, sizes, (file) => files.pathOf(file)))
        await store.put(run.processId, trackId, data, clock.now())
      }
    }
  }

  async function settle(run: EnhancementRun): Promise<void> {
    const { read, total } = await store.progress(run.processId)
    if (total > 0 && read === 0) await end(run, 'FAILED', 'None of the pictures in this report could be read.')
    else await end(run, 'FINISHED', null)
  }

  return {
    kind: ENHANCEMENT_JOB,
    // After a crash of the service somebody waits for it to go on.
    leaseMs: 20_000,
    // Never buried, however old: the report would stay RUNNING for ever. The handler gives up by itself.
    onFailure: ({ attempts }) => ({ do: 'retry', inMs: Math.min(600_000, 1_000 * 2 ** (attempts - 1)) }),
    async handle(job, signal) {
      const run = job.payload as EnhancementRun
      if (!(await store.isRunning(run))) return
      const onAbort = () => void enhancer.close()
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        await enhanceAll(run, signal)
        await settle(run)
      } catch (error) {
        signal.throwIfAborted()
        const sentence = (error as Error).message
        log.error({ err: error, process_uuid: run.processId }, 'enhancement failed')
        if (error instanceof EnhancerUnusable) return await end(run, 'FAILED', sentence)
        if (error instanceof EnhancerDied)
          return await end(
            run,
            'FAILED',
            `${sentence} That happened ${MOST_DEATHS} times; the service’s log tells more.`,
          )
        if (job.attempts < MOST_ATTEMPTS) throw error
        await end(run, 'FAILED', 'Something went wrong in the service; its log has the details.')
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
  }
}
