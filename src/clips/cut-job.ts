import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { isDiskFull } from '../core/outages.ts'
import { type PictureLimit } from '../core/picture-limit.ts'
import { type RecordedFile, type RecordedTime } from '../core/recorded-time.ts'
import { backoffMs } from '../core/retry.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { type FileToCut } from '../cutting/messages.ts'
import { type Log } from '../observe/log.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { type Clip } from './clip.ts'
import { type ClipFolder } from './clip-folder.ts'
import { type ClipLooks } from './clip-looks.ts'
import { clipNote } from './clip-note.ts'
import { type ClipStore, type ListedClip } from './clips.store.ts'
import { nothingRecorded } from './clips.service.ts'
import { CUT_JOB, type CutPayload } from './cut-jobs.ts'
import { createCutTurns } from './cut-turns.ts'
import { CutterDied, type CuttingWorker, type CutOutcome } from './cutting-worker.ts'
import { sharesOf } from './estimate-clip.ts'

export interface CutJobDeps {
  readonly store: Pick<ClipStore, 'find' | 'listFirstWaiting' | 'begin' | 'setProgress' | 'wait' | 'finish' | 'fail'>
  readonly folder: ClipFolder
  readonly worker: CuttingWorker
  readonly recordedTime: RecordedTime
  readonly looks: ClipLooks
  readonly rights: Pick<SourceRights, 'ownerFor'>
  /** Rejects when the key is revoked or has expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  readonly maxPicture: PictureLimit
  readonly clock: Clock
  readonly log: Log
}

const MAX_DEATHS = 3
/** For a node that is away, or a store. */
const WAITS = { firstMs: 10_000, maxMs: 600_000 }
const MAX_WAIT_MS = 86_400_000
const PROGRESS_EVERY_MS = 2_000
const NO_ROOM = 'There was no room on the disk of the service; make room and cut it again.'

/** It cannot be cut, and this sentence says why. */
class ClipFailure extends Error {}
/** Somebody has deleted it. */
class ClipGone extends Error {}

/** Cuts clips, one after the other, in turns of accounts: in the background, however many wait. */
export function cutJob(deps: CutJobDeps): JobKind {
  const { store, folder, clock, log } = deps
  const turns = createCutTurns(deps)
  return {
    kind: CUT_JOB,
    // After a crash of the service somebody waits for it to go on.
    leaseMs: 20_000,
    // Never buried: the clip would wait for ever. The handler gives up by itself.
    onFailure: ({ attempts }) => ({ do: 'retry', inMs: backoffMs(attempts - 1, WAITS) }),
    async handle(job, signal) {
      const { clipId } = job.payload as CutPayload
      const wanted = await store.find(clipId)
      // One that had its turn before has a job all the same.
      if (!wanted || wanted.finishedAt !== null) return
      for (let id; (id = await turns.takeBefore(wanted)) !== undefined;) {
        // What failed is tried again by its own job.
        await cut(id, signal).catch(() => signal.throwIfAborted())
      }
      await cut(clipId, signal)
    },
  }

  async function cut(clipId: string, signal: AbortSignal): Promise<void> {
    const clip = await store.begin(clipId, clock.now())
    if (!clip) return
    try {
      await cutOne(deps, clip, signal)
    } catch (error) {
      await folder.tidy(clip, false)
      // Its end may be written although the answer was lost: then its files are whole, and stay.
      if ((await store.find(clip.id))?.state === 'ready') return
      await folder.tidy(clip, true)
      if (error instanceof ClipGone) return
      signal.throwIfAborted()
      await giveUp(clip, error)
    }
  }

  /** Or tries it again later, where that may help. */
  async function giveUp(clip: Clip, error: unknown): Promise<void> {
    const sentence = sentenceOf(error)
    const isForGood = error instanceof ClipFailure || isWithoutRoom(error)
    if (isForGood || clock.now() - clip.createdAt >= MAX_WAIT_MS) {
      log.warn({ err: error, clip: clip.id }, 'a clip could not be cut')
      await store.fail(clip.id, sentence, clock.now())
      return
    }
    await store.wait(clip.id, sentence)
    throw error
  }
}

async function cutOne(deps: CutJobDeps, clip: Clip, signal: AbortSignal): Promise<void> {
  const { store, folder, clock } = deps
  const ownerId = await ownerOf(deps, clip)
  const gone = new AbortController()
  const watching = watchClip(deps, clip, gone)
  try {
    const both = AbortSignal.any([signal, gone.signal])
    const { parts, gaps } = await cutWithRetries(deps, clip, ownerId, watching, both)
    await folder.keep(clip, parts.length)
    await folder.tidy(clip, false)
    const listed = parts.map(({ n: _, ...part }) => part)
    const isThere = await store.finish(clip.id, { parts: listed, gaps, note: clipNote(clip, parts, gaps) }, clock.now())
    if (!isThere) throw new ClipGone('deleted')
  } catch (error) {
    throw gone.signal.aborted ? new ClipGone('deleted') : error
  } finally {
    await watching.stop()
  }
}

/** Whose recordings it is of. Asked again, since it may have waited. */
async function ownerOf({ findAccount, rights }: CutJobDeps, { accountId, sourceId, withBoxes }: Clip): Promise<string> {
  try {
    const account = await findAccount(accountId)
    const owner = await rights.ownerFor(account, sourceId, 'watch')
    if (withBoxes) await rights.ownerFor(account, sourceId, 'events')
    return owner.id
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    throw new ClipFailure('The key, or its right to the source, was revoked or has expired.', { cause: error })
  }
}

interface ClipWatch {
  note(share: number): void
  stop(): Promise<void>
}

/** Writes how far it is, and ends it when somebody deletes it. */
function watchClip({ store, clock, log }: CutJobDeps, { id }: Clip, gone: AbortController): ClipWatch {
  const ended = new AbortController()
  let progress = 0
  async function watch(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(PROGRESS_EVERY_MS, ended.signal)
      if (ended.signal.aborted) return
      try {
        if (!(await store.setProgress(id, progress))) return gone.abort()
      } catch (error) {
        log.warn({ err: error, clip: id }, 'how far a clip is could not be written')
      }
    }
  }
  const watching = watch()
  return {
    // What is done is written with the clip.
    note: (share) => void (progress = Math.min(99, Math.floor(100 * share))),
    async stop() {
      ended.abort()
      await watching
    },
  }
}

type Cut = Extract<CutOutcome, { readonly type: 'done' }>

async function cutWithRetries(
  deps: CutJobDeps,
  clip: Clip,
  ownerId: string,
  watching: ClipWatch,
  signal: AbortSignal,
): Promise<Cut> {
  let isReplanned = false
  for (let deaths = 0; ;) {
    try {
      const outcome = await cutOnce(deps, clip, ownerId, watching, signal)
      if (outcome.type === 'done') {
        deps.log.info({ clip: clip.id, parts: outcome.parts.length, cpu_ms: outcome.cpuMs }, 'a clip is cut')
        return outcome
      }
      if (outcome.reason === 'nothing') throw await nothingOf(deps, clip)
      // Retention took it meanwhile: what is missing then is a gap.
      if (outcome.reason !== 'gone' || isReplanned) throw new ClipFailure(outcome.sentence)
      isReplanned = true
    } catch (error) {
      if (!(error instanceof CutterDied)) throw error
      deps.log.warn({ err: error, clip: clip.id, deaths: deaths + 1 }, 'cutting a clip ended')
      if (++deaths >= MAX_DEATHS)
        throw new ClipFailure('Cutting it ended three times; the log tells more.', { cause: error })
    }
  }
}

async function cutOnce(
  { folder, worker, recordedTime, looks, maxPicture, clock }: CutJobDeps,
  clip: Clip,
  ownerId: string,
  watching: ClipWatch,
  signal: AbortSignal,
): Promise<CutOutcome> {
  const { scratch, target } = await folder.prepare(clip)
  const { sourceId, processId, from, to, withBoxes } = clip
  const recorded = await recordedTime.filesOf(sourceId, { from, to })
  const files: FileToCut[] = []
  for (const { file } of sharesOf(recorded, clip, clock.now())) {
    if (file.accountId !== ownerId) continue
    const path = await bring(recordedTime, file, scratch, signal)
    if (path !== undefined) files.push({ path, startedAtMs: file.startedAt, gapMs: file.gapMs })
  }
  const nothing = { type: 'failed', reason: 'nothing', sentence: '' } as const
  if (files.length === 0) return nothing
  const drawn = withBoxes ? await looks.bring({ sourceId, processId, stretch: { from, to } }, scratch, signal) : null
  const order = { files, fromMs: from, toMs: to, target, looks: drawn, maxPicture }
  return worker.cut(order, (share) => watching.note(share), signal)
}

async function bring(
  recordedTime: RecordedTime,
  file: RecordedFile,
  scratch: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await recordedTime.bring(file, scratch, signal)
  } catch (error) {
    if (error instanceof AppError && error.code === 'recording-not-found') return undefined
    throw error
  }
}

async function nothingOf({ store }: CutJobDeps, clip: Clip): Promise<ClipFailure> {
  const listed: ListedClip | undefined = await store.find(clip.id)
  const wanted = { ...clip, sourceAlias: listed?.sourceAlias ?? 'the source' }
  return new ClipFailure(nothingRecorded(wanted).message)
}

const isWithoutRoom = (error: unknown) => isDiskFull(error) || (error instanceof AppError && error.code === 'disk-full')

function sentenceOf(error: unknown): string {
  if (isWithoutRoom(error)) return NO_ROOM
  if (error instanceof AppError || error instanceof ClipFailure) return error.message
  return 'Something went wrong in the service; its log has the details.'
}
