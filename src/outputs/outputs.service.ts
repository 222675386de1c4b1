import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { toMediaPath } from '../core/media-path.ts'
import { type PathHolder, pathInUse } from '../core/path-holder.ts'
import { trimEndSlashes } from '../core/trim-slashes.ts'
import { toVideoOutput } from './attached-outputs.ts'
import { type Output, pathOfRtspOutput } from './output.ts'
import { type OutputTokens } from './output-tokens.ts'
import { type NewOutput } from './outputs.schema.ts'
import { type AttachOutcome, type OutputStore } from './outputs.store.ts'

export type AttachCommand =
  { readonly type: 'attach'; readonly output: VideoOutput } | { readonly type: 'detach'; readonly outputId: string }

export interface OutputDeps {
  readonly store: OutputStore
  readonly tokens: OutputTokens
  readonly processes: {
    /** Throws when the account has no such process, or when it has ended. */
    checkLive(account: Account, processId: string): Promise<void>
    /** To its worker. */
    send(processId: string, command: AttachCommand): void
  }
  readonly paths: {
    /** Who publishes there, or which source is registered for it. */
    holderOf(path: string): Promise<PathHolder | undefined>
    playUrl(path: string, token: string, host: string): string
  }
  /** Why this host is not called for this account; undefined when nothing is against it. */
  readonly objectionTo: (account: Account, hostname: string, port?: number) => Promise<string | undefined>
  readonly telemetry: {
    /** Throws when the source of the process has no telemetry. */
    checkConfigured(processId: string): void
  }
  readonly clock: Clock
}

export interface Attachment {
  readonly output: Output
  /** Of an RTSP output: lets its bearer watch. */
  readonly token: string | null
  /** Of an RTSP output: an address that plays as it stands. */
  readonly playUrl: string | null
}

const LEFT_WITHIN_MS = 2_000
const LOOK_EVERY_MS = 20

export type OutputService = ReturnType<typeof createOutputService>

export function createOutputService(deps: OutputDeps) {
  const { store, tokens, processes, paths, telemetry, objectionTo, clock } = deps

  async function find(account: Account, outputId: string): Promise<Output> {
    const output = await store.find(account.id, outputId)
    if (!output) throw new AppError('output-not-found', { output_uuid: outputId })
    return output
  }

  async function begin(account: Account, processId: string, output: Output): Promise<void> {
    try {
      // Its end may be on the way to the database, and have let go of its outputs before this one came.
      await processes.checkLive(account, processId)
    } catch (error) {
      await store.detach(output.id, processId)
      throw error
    }
    const video = toVideoOutput(output)
    if (video) processes.send(processId, { type: 'attach', output: video })
  }

  async function checkReceiver(account: Account, url: string): Promise<void> {
    const message = await objectionTo(account, new URL(url).hostname)
    if (message !== undefined) throw new AppError('input-invalid', {}, { errors: [{ path: 'body.url', message }] })
  }

  /** The worker's connection ends a moment after it was told to; whoever attaches next shall find the path free. */
  async function untilLeft(path: string): Promise<void> {
    const deadlineMs = clock.steady() + LEFT_WITHIN_MS
    while ((await paths.holderOf(path)) && clock.steady() < deadlineMs) await clock.sleep(LOOK_EVERY_MS)
  }

  async function checkFree(account: Account, path: string): Promise<void> {
    const holder = await paths.holderOf(path)
    if (holder) throw pathInUse(account, path, holder)
  }

  async function heldByOutput(path: string): Promise<PathHolder | undefined> {
    const output = await store.findAtPath(path)
    return output && { kind: 'output', accountId: output.accountId, alias: output.alias }
  }

  async function refusal(
    outcome: Exclude<AttachOutcome, 'attached' | 'had-already'>,
    account: Account,
    processId: string,
    output: Output,
  ): Promise<AppError> {
    switch (outcome) {
      case 'output-not-found':
        return new AppError(outcome, { output_uuid: output.id })
      case 'output-attached':
        return new AppError(outcome, { process_uuid: (await find(account, output.id)).processId })
      case 'process-not-live':
        return new AppError(outcome, { process_uuid: processId, state: 'stopping' })
      case 'path-in-use':
        return pathInUse(account, output.mediaPath!, await heldByOutput(output.mediaPath!))
      case 'attached-output-limit-reached':
        return new AppError(outcome, { limit: account.limits.maxAttachedOutputs })
    }
  }

  return {
    find,

    async register(
      account: Account,
      { alias, type, url, settings }: NewOutput,
    ): Promise<{ output: Output; isNew: boolean }> {
      const isVideo = type === 'rtsp' || type === 'rtmp'
      // `rtsp://yard/` and `rtsp://yard` are one place.
      const target = type === 'rtsp' ? trimEndSlashes(url!) : url
      const mediaPath = type === 'rtsp' ? toMediaPath(pathOfRtspOutput(account.username, target!)) : null
      if (mediaPath === undefined) throw new AppError('output-path-too-long')
      if (type === 'rtmp') await checkReceiver(account, url!)
      const output: Output = {
        id: orderedUuid(),
        accountId: account.id,
        alias,
        type,
        url: isVideo ? target! : null,
        mediaPath,
        settings: isVideo ? settings : null,
        processId: null,
        createdAt: clock.now(),
      }
      const existing = await store.findIdentical(output)
      if (existing) return { output: existing, isNew: false }
      // Several outputs may share a path; what is live there may be one of them.
      if (mediaPath !== null && !(await store.findAtPath(mediaPath))) await checkFree(account, mediaPath)
      const outcome = await store.insertWithinLimit(account, output)
      if (outcome === 'output-limit-reached') throw new AppError(outcome, { limit: account.limits.maxOutputs })
      if (outcome === 'path-in-use') throw pathInUse(account, mediaPath!, await paths.holderOf(mediaPath!))
      return outcome
    },

    list: (account: Account, page: PageRequest): Promise<Page<Output>> => store.list(account.id, page),

    async remove(account: Account, outputId: string): Promise<void> {
      if (await store.removeUnattached(account.id, outputId)) return
      const { processId } = await find(account, outputId)
      throw new AppError('output-attached', { process_uuid: processId })
    },

    async attach(account: Account, processId: string, outputId: string, host: string): Promise<Attachment> {
      await processes.checkLive(account, processId)
      const output = await find(account, outputId)
      if (output.type === 'drone_data') telemetry.checkConfigured(processId)
      const path = output.mediaPath
      if (path !== null && output.processId === null) await checkFree(account, path)
      const outcome = await store.attachWithinLimit(account, outputId, processId)
      if (outcome === 'attached') await begin(account, processId, output)
      else if (outcome !== 'had-already') throw await refusal(outcome, account, processId, output)
      const token = path && tokens.issue(outputId)
      const playUrl = path && token && paths.playUrl(path, token, host)
      return { output: { ...output, processId }, token, playUrl }
    },

    async detach(account: Account, processId: string, outputId: string): Promise<void> {
      const output = await find(account, outputId)
      if (output.processId !== processId) throw new AppError('output-not-attached', { process_uuid: processId })
      processes.send(processId, { type: 'detach', outputId })
      await store.detach(outputId, processId)
      if (output.mediaPath !== null) await untilLeft(output.mediaPath)
    },
  }
}
