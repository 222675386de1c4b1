import { createHash, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { type Readable } from 'node:stream'
import { type Clock } from '../core/clock.ts'
import { DIGEST_REALM, digestHa1 } from '../core/digest.ts'
import { AppError } from '../core/errors.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type OutboundPolicy } from '../core/outbound.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Account } from '../core/words.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type LivePaths } from './live-paths.ts'
import { tokenPrincipal } from './media-access.ts'
import { type MediaAddresses } from './media-addresses.ts'
import { type Probe } from './prober.ts'
import { type Recorder } from './recorder.ts'
import { fileFingerprint, type Source, streamFingerprint, type VideoInfo } from './source.ts'
import { type SourceToken, type SourceTokenStore } from './source-tokens.store.ts'
import { type NewStream, type NewToken, type SourceStatus } from './sources.schema.ts'
import { type SourceStore } from './sources.store.ts'
import { type ReceivedFile, type VideoFolder } from './video-upload.ts'

export interface SourceDeps {
  readonly store: SourceStore
  readonly tokens: SourceTokenStore
  readonly videos: VideoFolder
  readonly probe: Probe
  readonly livePaths: Pick<LivePaths, 'find'>
  readonly recorder: Pick<Recorder, 'refresh' | 'recordedSource' | 'isPaused'>
  readonly addresses: MediaAddresses
  readonly budget: Pick<DiskBudget, 'state'>
  readonly outbound: OutboundPolicy
  readonly owners: { mayUse(account: Account, username: string): Promise<boolean> }
  readonly processes: { isProcessing(sourceId: string): boolean }
  readonly outputs: { hasPath(path: string): Promise<boolean> }
  /** Ends whatever this principal publishes or reads. */
  readonly expel: (principal: string) => void
  readonly clock: Clock
}

export interface VideoDetails {
  readonly alias?: string | undefined
  readonly telemetryCfg?: TelemetryCfg | undefined
}

export interface Registered {
  readonly source: Source
  readonly isNew: boolean
}

const PROBE_TIMEOUT_MS = 10_000
const MAX_TOKENS = 50

export type SourceService = ReturnType<typeof createSourceService>

export function createSourceService(deps: SourceDeps) {
  const { store, tokens, videos, probe, livePaths, recorder, addresses, budget, outbound, owners, processes, outputs } =
    deps
  const { expel, clock } = deps

  async function insert(account: Account, source: Source): Promise<Registered> {
    const outcome = await store.insertWithinLimits(account, source)
    if (outcome === 'source-limit-reached') throw new AppError(outcome, { limit: account.limits.maxSources })
    if (outcome === 'video-storage-full') throw storageFull(account)
    return outcome
  }

  async function find(account: Pick<Account, 'id'>, sourceId: string): Promise<Source> {
    const source = await store.find(account.id, sourceId)
    if (!source) throw new AppError('source-not-found', { source_uuid: sourceId })
    return source
  }

  /** A stream that is published here must be of a path that is the caller's own. */
  async function mediaPathOf(account: Account, inputUrl: string): Promise<string | null> {
    const path = addresses.pathOf(inputUrl)
    if (path === undefined) {
      const { hostname } = new URL(inputUrl)
      const literal = hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) && !outbound.isAllowed(literal)) throw invalidUrl('may not be called; see AERIE_OUTBOUND_DENY')
      return null
    }
    if (path === null)
      throw invalidUrl('must name a path <username>/<name> on this media server, of letters, digits and ._~- only')
    if (!(await owners.mayUse(account, path.split('/')[0]!)))
      throw invalidUrl(`must name a path on this media server that begins with ${account.username}/`)
    return path
  }

  /** What is really in a file, by decoding it. */
  async function lookAt({ file, fileName, extension }: ReceivedFile): Promise<VideoInfo> {
    const unreadable = (reason: string, cause?: unknown) =>
      new AppError('video-unreadable', { file_name: fileName, reason }, { cause })
    const report = await probe({ input: file, isLive: false, watchMs: 0, timeoutMs: PROBE_TIMEOUT_MS }).catch(
      (error: unknown) => {
        throw unreadable((error as Error).message, error)
      },
    )
    if (!isContainerOf(extension, report.container))
      throw unreadable(`inside it is ${report.container}; name it accordingly.`)
    if (report.first_frame_ms === null) throw unreadable(report.problems.join(' '))
    const { codec, width, height, fps, has_b_frames: hasBFrames } = report
    return { codec, width, height, fps, hasBFrames }
  }

  return {
    find,
    mediaPathOf,

    async registerStream(account: Account, stream: NewStream): Promise<Registered> {
      const mediaPath = await mediaPathOf(account, stream.input_url)
      if (mediaPath && (await outputs.hasPath(mediaPath))) throw new AppError('path-in-use', { path: mediaPath })
      const described = {
        alias: stream.alias,
        inputUrl: stream.input_url,
        streamType: stream.stream_type,
        telemetryCfg: stream.telemetry_cfg ?? null,
      }
      const registered = await insert(account, {
        ...described,
        id: orderedUuid(),
        accountId: account.id,
        type: 'stream',
        mediaPath,
        sizeBytes: 0,
        video: null,
        fingerprint: streamFingerprint(described),
        createdAt: clock.now(),
      })
      if (mediaPath && registered.isNew) void recorder.refresh(mediaPath)
      return registered
    },

    /** Takes a file in, within what the key and the disk allow. It must be registered or discarded. */
    async receiveVideo(account: Account, fileName: string, stream: Readable): Promise<ReceivedFile> {
      const { leftBytes } = await budget.state()
      if (leftBytes <= 0) throw new AppError('disk-full')
      const { maxVideoUploadSizeBytes, totalStorageSizeBytes } = account.limits
      if ((await store.usedBytes(account.id)) >= totalStorageSizeBytes) throw storageFull(account)
      const limitBytes = Math.min(maxVideoUploadSizeBytes, leftBytes)
      return videos.receive(stream, fileName, limitBytes).catch((error: unknown) => {
        const isDisk =
          error instanceof AppError && error.code === 'video-too-large' && limitBytes < maxVideoUploadSizeBytes
        throw isDisk ? new AppError('disk-full', {}, { cause: error }) : error
      })
    },

    discardVideo: (received: ReceivedFile): Promise<void> => videos.discard(received),

    async registerVideo(
      account: Account,
      received: ReceivedFile,
      { alias, telemetryCfg }: VideoDetails,
    ): Promise<Registered> {
      const fingerprint = fileFingerprint(received.sha256)
      const existing = await store.findByFingerprint(account.id, fingerprint)
      if (existing) return { source: existing, isNew: false }
      const video = await lookAt(received)
      // The file before the row: a row without its file would be found again by its content, and never work.
      const id = orderedUuid()
      await videos.keep(received, id)
      const registered = await insert(account, {
        id,
        accountId: account.id,
        alias: alias ?? received.fileName,
        type: 'file',
        inputUrl: received.fileName,
        streamType: null,
        telemetryCfg: telemetryCfg ?? null,
        mediaPath: null,
        sizeBytes: received.sizeBytes,
        video,
        fingerprint,
        createdAt: clock.now(),
      }).catch(async (error: unknown) => {
        await videos.remove(id)
        throw error
      })
      if (!registered.isNew) await videos.remove(id)
      return registered
    },

    list: (account: Account, page: PageRequest): Promise<Page<Source>> => store.list(account.id, page),

    usedBytes: (account: Account): Promise<number> => store.usedBytes(account.id),

    /** Its recordings stay until their retention; its file goes at once. */
    async remove(account: Account, sourceId: string): Promise<void> {
      const source = await find(account, sourceId)
      if (processes.isProcessing(sourceId)) throw new AppError('source-in-use')
      const issued = await tokens.list(sourceId)
      await store.remove(sourceId)
      for (const { id } of issued) expel(tokenPrincipal(id))
      if (source.type === 'file') await videos.remove(sourceId)
      if (source.mediaPath) await recorder.refresh(source.mediaPath)
    },

    /** The account is gone, and wants nothing kept. */
    async removeAllOf(accountId: string): Promise<void> {
      for (;;) {
        const { items } = await store.list(accountId, { limit: 100 })
        if (items.length === 0) return
        for (const { id, type, mediaPath } of items) {
          await store.remove(id)
          if (type === 'file') await videos.remove(id)
          if (mediaPath) await recorder.refresh(mediaPath)
        }
      }
    },

    statusOf({ id, mediaPath }: Source): SourceStatus {
      if (processes.isProcessing(id)) return 'processing'
      if (mediaPath === null) return 'unknown'
      return livePaths.find(mediaPath) ? 'streaming' : 'offline'
    },

    recordingOf({ id, mediaPath }: Source): 'on' | 'off' | 'stopped-disk-full' | null {
      if (mediaPath === null) return null
      if (recorder.recordedSource(mediaPath) === id) return 'on'
      return recorder.isPaused && livePaths.find(mediaPath) ? 'stopped-disk-full' : 'off'
    },

    async issueToken(account: Account, sourceId: string, { action, expires_in_seconds }: NewToken, host: string) {
      const source = await find(account, sourceId)
      if (source.mediaPath === null) throw new AppError('source-not-published-here')
      if ((await tokens.list(sourceId)).length >= MAX_TOKENS)
        throw new AppError('token-limit-reached', { limit: MAX_TOKENS })
      const token = `tk_${randomBytes(24).toString('base64url')}`
      const createdAt = clock.now()
      const expiresAt = expires_in_seconds === undefined ? null : createdAt + expires_in_seconds * 1000
      const record: SourceToken = { id: orderedUuid(), sourceId, action, expiresAt, createdAt }
      const username = source.mediaPath.split('/')[0]!
      const sha256 = createHash('sha256').update(token).digest('hex')
      await tokens.insert(record, { sha256, ha1: digestHa1(username, DIGEST_REALM, token) })
      const { mediaPath } = source
      return { record, token, mediaPath, urls: addresses.urlsWithToken(mediaPath, token, host) }
    },

    async listTokens(account: Account, sourceId: string): Promise<SourceToken[]> {
      await find(account, sourceId)
      return tokens.list(sourceId)
    },

    async revokeToken(account: Account, sourceId: string, tokenId: string): Promise<void> {
      await find(account, sourceId)
      if (!(await tokens.remove(sourceId, tokenId))) throw new AppError('token-not-found', { token_uuid: tokenId })
      expel(tokenPrincipal(tokenId))
    },
  }
}

function storageFull({ limits }: Account): AppError {
  return new AppError('video-storage-full', { limit_bytes: limits.totalStorageSizeBytes })
}

/** FFmpeg names the whole family of QuickTime containers `mov,mp4,…`. */
function isContainerOf(extension: string, container: string): boolean {
  return extension === '.avi' ? container === 'avi' : container.split(',').includes('mp4')
}

function invalidUrl(message: string): AppError {
  return new AppError('input-invalid', {}, { errors: [{ path: 'body.input_url', message }] })
}
