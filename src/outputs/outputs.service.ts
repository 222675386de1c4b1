import { type Account } from '../core/account.ts'
import { checkHosts, type ObjectionTo } from '../core/check-hosts.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { toVideoOutput } from './attached-outputs.ts'
import { kindOf } from './kinds/kinds.ts'
import { type VideoAddress, type VideoKind } from './kinds/output-kind.ts'
import { type Output } from './output.ts'
import { type OutputPaths } from './output-paths.ts'
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
    playUrl(path: string, token: string, host: string): string
    /** Without encryption, where both are open. */
    plainPlayUrl(path: string, token: string, host: string): string | undefined
  }
  readonly outputPaths: OutputPaths
  readonly objectionTo: ObjectionTo
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
  /** The same without encryption, where both are open. */
  readonly plainPlayUrl?: string | undefined
}

export type OutputService = ReturnType<typeof createOutputService>

export function createOutputService(deps: OutputDeps) {
  const { store, tokens, processes, paths, outputPaths, telemetry, objectionTo, clock } = deps

  async function find(account: Account, outputId: string): Promise<Output> {
    const output = await store.find(account.id, outputId)
    if (!output) throw new AppError('output-not-found', { output_uuid: outputId })
    return output
  }

  async function begin(account: Account, processId: string, output: Output): Promise<void> {
    try {
      // Its end may be on the way to the database, and have detached its outputs before this one was attached.
      await processes.checkLive(account, processId)
    } catch (error) {
      await store.detach(output.id, processId)
      throw error
    }
    const video = toVideoOutput(output)
    if (video) processes.send(processId, { type: 'attach', output: video })
  }

  /** The address as it is kept: with its path where it is on our media server. Throws when it may not be sent there. */
  async function addressOf(account: Account, video: VideoKind, url: string): Promise<VideoAddress> {
    const normal = video.normalize(url)
    const mediaPath = video.mediaPathOf(account.username, normal)
    if (mediaPath === undefined) throw new AppError('output-path-too-long')
    const hostname = video.hostOf(normal)
    if (hostname !== null) await checkHosts(objectionTo, account, [{ path: 'body.url', hostname }])
    return { url: normal, mediaPath }
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
        return outputPaths.refusalByOutput(account, output.mediaPath!)
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
      const { video } = kindOf({ type })
      const address = video ? await addressOf(account, video, url!) : { url: null, mediaPath: null }
      const output: Output = {
        id: orderedUuid(),
        accountId: account.id,
        alias,
        type,
        ...address,
        settings: video ? settings : null,
        processId: null,
        createdAt: clock.now(),
      }
      const { mediaPath } = address
      const existing = await store.findIdentical(output)
      if (existing) return { output: existing, isNew: false }
      // Several outputs may share a path; what is live there may be one of them.
      if (mediaPath !== null && !(await store.findAtPath(mediaPath))) await outputPaths.checkFree(account, mediaPath)
      const outcome = await store.insertWithinLimit(account, output)
      if (outcome === 'output-limit-reached') throw new AppError(outcome, { limit: account.limits.maxOutputs })
      if (outcome === 'path-in-use') throw await outputPaths.refusal(account, mediaPath!)
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
      if (kindOf(output).needsTelemetry) telemetry.checkConfigured(processId)
      const path = output.mediaPath
      if (path !== null && output.processId === null) await outputPaths.checkFree(account, path)
      const outcome = await store.attachWithinLimit(account, outputId, processId)
      if (outcome === 'attached') await begin(account, processId, output)
      else if (outcome !== 'had-already') throw await refusal(outcome, account, processId, output)
      const token = path && tokens.issue(outputId)
      const playUrl = path && token && paths.playUrl(path, token, host)
      const plainPlayUrl = path && token ? paths.plainPlayUrl(path, token, host) : undefined
      return { output: { ...output, processId }, token, playUrl, plainPlayUrl }
    },

    async detach(account: Account, processId: string, outputId: string): Promise<void> {
      const output = await find(account, outputId)
      if (output.processId !== processId) throw new AppError('output-not-attached', { process_uuid: processId })
      processes.send(processId, { type: 'detach', outputId })
      await store.detach(outputId, processId)
      if (output.mediaPath !== null) await outputPaths.untilFree(output.mediaPath)
    },
  }
}
