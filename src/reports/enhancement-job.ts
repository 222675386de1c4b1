import { basename } from 'node:path'
import { type Clock } from '../core/clock.ts'
import { backoffMs } from '../core/retry.ts'
import { stillCounts } from '../core/standing-rights.ts'
import { type Enhanced, type TrackToEnhance } from '../enhance/messages.ts'
import { type Log } from '../observe/log.ts'
import { type JobKind, RETRY_WAITS } from '../storage/job-kind.ts'
import { type EnhancementDraftStore } from './enhancement-drafts.store.ts'
import {
  ENHANCEMENT_JOB,
  type EnhancementRound,
  type EnhancementRun,
  type EnhancementRunStore,
} from './enhancement-runs.store.ts'
import { type EnhancementWorker, WorkerDied, WorkerUnusable } from './enhancement-worker.ts'
import { type PictureFiles } from './picture-files.ts'
import { type PictureStore } from './pictures.store.ts'
import { toTrackToEnhance } from './track-to-enhance.ts'

export interface EnhancementJobDeps {
  readonly runs: Pick<EnhancementRunStore, 'ownerOf' | 'isRunning' | 'end' | 'addRound'>
  readonly drafts: Pick<EnhancementDraftStore, 'listWaiting' | 'listSizes' | 'put' | 'countUnread'>
  readonly pictures: Pick<PictureStore, 'listOf'>
  readonly files: Pick<PictureFiles, 'bring'>
  readonly worker: EnhancementWorker
  /** Rejects with an `AppError` when the key is revoked or has expired. */
  readonly findAccount: (accountId: string) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
}

const MAX_DEATHS = 3
/** Other trouble, such as a database that is away, is waited for; but nobody waits for ever. */
const MAX_ATTEMPTS = 10
/** Tracks that are done before it is somebody else's turn: a minute at most, with plates. */
const ROUND = 20

/**
 * Enhances reports, track after track. Each track is written as it is done, so that a run that was interrupted goes on
 * where it was. There is one worker; a long report is done in rounds, and others that wait have theirs between them.
 */
export function enhancementJob(deps: EnhancementJobDeps): JobKind {
  const { runs, drafts, pictures, files, worker, findAccount, clock, log } = deps
  const end = (run: EnhancementRun, status: 'FINISHED' | 'FAILED', reason: string | null) =>
    runs.end(run, status, reason, clock.now())

  /** Asked before each round: nothing goes on for a key that is gone. */
  async function hasKey({ processId }: EnhancementRun): Promise<boolean> {
    const accountId = await runs.ownerOf(processId)
    return accountId !== undefined && stillCounts(findAccount(accountId))
  }

  async function enhanceSome(run: EnhancementRound, signal: AbortSignal): Promise<void> {
    let { deaths } = run
    const enhance = async (track: TrackToEnhance): Promise<Enhanced> => {
      for (;;) {
        signal.throwIfAborted()
        try {
          return await worker.enhance(track)
        } catch (error) {
          signal.throwIfAborted()
          if (!(error instanceof WorkerDied) || ++deaths >= MAX_DEATHS) throw error
          log.warn({ err: error, process_uuid: run.processId, deaths }, 'enhancement: starting the worker again')
        }
      }
    }

    const waiting = await drafts.listWaiting(run.processId, ROUND + 1)
    for (const { trackId, className } of waiting.slice(0, ROUND)) {
      signal.throwIfAborted()
      if (!(await runs.isRunning(run))) return
      const shown = await pictures.listOf(run.processId, trackId)
      const sizes = await drafts.listSizes(run.processId, trackId)
      const paths = new Map<string, string | undefined>()
      for (const { file } of shown) paths.set(file, await files.bring(file))
      const track = toTrackToEnhance(className, shown, sizes, (file) => paths.get(file))
      await drafts.put(run.processId, trackId, withoutFolders(await enhance(track), track), clock.now())
    }
    if (waiting.length > ROUND) await runs.addRound({ ...run, round: run.round + 1, deaths }, clock.now())
    else await settle(run)
  }

  async function settle(run: EnhancementRun): Promise<void> {
    const { needed, unread, cause } = await drafts.countUnread(run.processId)
    if (unread > 0)
      log.warn({ process_uuid: run.processId, needed, unread, cause }, 'enhancement: tracks without a readable picture')
    if (needed === 0 || unread < needed) return end(run, 'FINISHED', null)
    await end(run, 'FAILED', `None of the pictures in this report could be read. Of the first track: ${cause}`)
  }

  return {
    kind: ENHANCEMENT_JOB,
    // After a crash of the service somebody waits for it to go on.
    leaseMs: 20_000,
    // Never buried, however old: the report would stay RUNNING for ever. The handler gives up by itself.
    onFailure: ({ attempts }) => ({ do: 'retry', inMs: backoffMs(attempts - 1, RETRY_WAITS) }),
    async handle(job, signal) {
      // A job of an earlier version knows no rounds.
      const run: EnhancementRound = { round: 0, deaths: 0, ...(job.payload as EnhancementRun) }
      if (!(await runs.isRunning(run))) return
      const onAbort = () => void worker.close()
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        if (!(await hasKey(run))) return await end(run, 'FAILED', 'The key of this process was revoked or has expired.')
        await enhanceSome(run, signal)
      } catch (error) {
        signal.throwIfAborted()
        const sentence = (error as Error).message
        log.error({ err: error, process_uuid: run.processId }, 'enhancement failed')
        if (error instanceof WorkerUnusable) return await end(run, 'FAILED', sentence)
        if (error instanceof WorkerDied)
          return await end(
            run,
            'FAILED',
            `${sentence} That happened ${MAX_DEATHS} times; the service’s log tells more.`,
          )
        if (job.attempts < MAX_ATTEMPTS) throw error
        await end(run, 'FAILED', 'Something went wrong in the service; its log has the details.')
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
  }
}

/** A reason is shown to users, and does not show where the service keeps its files. */
function withoutFolders(enhanced: Enhanced, { pictures }: TrackToEnhance): Enhanced {
  if (enhanced.unread === undefined) return enhanced
  const unread = pictures.reduce((sentence, { file }) => sentence.replaceAll(file, basename(file)), enhanced.unread)
  return { ...enhanced, unread }
}
