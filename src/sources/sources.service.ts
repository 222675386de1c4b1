import { createHash, randomBytes } from 'node:crypto'
import { type Readable } from 'node:stream'
import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { DIGEST_REALM, digestHa1 } from '../core/digest.ts'
import { AppError } from '../core/errors.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { pathInUse } from '../core/path-holder.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { createTurns } from '../core/turns.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type Probe } from './prober.ts'
import { fileFingerprint, type Source, streamFingerprint, type VideoInfo } from './source.ts'
import { type SourceToken, type SourceTokenStore } from './source-tokens.store.ts'
import { tokenPrincipal } from './source-token-issuer.ts'
import { type NewStream, type NewToken, type SourceStatus } from './sources.schema.ts'
import { type SourceStore } from './sources.store.ts'
import { type UploadRoom } from './upload-room.ts'
import { type ReceivedFile, toVideoFile, type VideoFolder } from './video-upload.ts'

export interface SourceDeps {
  readonly store: SourceStore
  readonly tokens: SourceTokenStore
  readonly videos: VideoFolder
  readonly uploads: Pick<UploadRoom, 'enter'>
  readonly probe: Probe
  readonly streams: Pick<Streams, 'livePaths' | 'addresses' | 'expel'>
  readonly recordings: {
    /** A source was registered for this path, or removed. */
    refresh(path: string): Promise<void>
    /** The source whose recording this path's stream goes to now. */
    recordedSource(path: string): string | undefined
    /** There is no room for this account's recordings. */
    isStopped(accountId: string): boolean
  }
  /** Why this host is not called for this account; undefined when nothing is against it. */
  readonly objectionTo: (account: Account, hostname: string, port?: number) => Promise<string | undefined>
  /** Throws when its key is gone or expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  readonly owners: { mayUse(account: Account, username: string): Promise<boolean> }
  readonly clock: Clock
}

/** Something that uses sources. */
export interface SourceUser {
  isProcessing(sourceId: string): boolean
}

export interface VideoDetails {
  readonly alias?: string | undefined
  readonly telemetryCfg?: TelemetryCfg | null | undefined
}

/** A video that has come in whole; its room is held until it is discarded. */
export interface ReceivedVideo extends ReceivedFile {
  readonly release: () => void
}

export interface Registered {
  readonly source: Source
  readonly isNew: boolean
}

const PROBE_TIMEOUT_MS = 10_000
const MAX_TOKENS = 50

export type SourceService = ReturnType<typeof createSourceService>

export function createSourceService(deps: SourceDeps) {
  const { store, tokens, videos, uploads, probe, streams, recordings, owners } = deps
  const { objectionTo, findAccount, clock } = deps
  /** A file that gets its last user must not be removed with the one before, so each account's come and go in turn. */
  const turns = createTurns()
  const users: SourceUser[] = []
  const isProcessed = (sourceId: string) => users.some((user) => user.isProcessing(sourceId))

  async function insert(account: Account, source: Source): Promise<Registered> {
    const outcome = await store.insertWithinLimits(account, source)
    if (outcome === 'source-limit-reached') throw new AppError(outcome, { limit: account.limits.maxSources })
    if (outcome === 'video-storage-full')
      throw new AppError(outcome, { limit_bytes: account.limits.totalStorageSizeBytes })
    if (outcome === 'path-in-use')
      throw pathInUse(account, source.mediaPath!, await store.findOutputAt(source.mediaPath!))
    return outcome
  }

  async function find(account: Pick<Account, 'id'>, sourceId: string): Promise<Source> {
    const source = await store.find(account.id, sourceId)
    if (!source) throw new AppError('source-not-found', { source_uuid: sourceId })
    return source
  }

  /** A stream that is published here must be of a path that is the caller's own. */
  async function mediaPathOf(account: Account, inputUrl: string): Promise<string | null> {
    const path = await streams.addresses.pathOf(inputUrl, account.id)
    if (path === undefined) {
      const { hostname } = new URL(inputUrl)
      const objection = await objectionTo(account, hostname)
      if (objection !== undefined) throw invalid('input_url', objection)
      return null
    }
    if (path === null)
      throw invalid(
        'input_url',
        'Name a path <username>/<name> on this media server, of letters, digits and ._~- only.',
      )
    await checkOwned(account, path)
    return path
  }

  async function checkOwned(account: Account, path: string): Promise<void> {
    if (await owners.mayUse(account, ownerOfPath(path))) return
    throw new AppError('stream-not-found', { path, username: account.username })
  }

  async function checkBroker(account: Account, cfg: TelemetryCfg | null | undefined): Promise<void> {
    if (cfg?.type !== 'mqtt') return
    const message = await objectionTo(account, cfg.parameters.ip, cfg.parameters.port)
    if (message !== undefined) throw invalid('telemetry_cfg.parameters.ip', message)
  }

  /** What is really in a file, by decoding it. */
  async function lookAt({ id }: Account, { file, fileName, extension }: ReceivedFile): Promise<VideoInfo> {
    const unreadable = (reason: string, cause?: unknown) =>
      new AppError('video-unreadable', { file_name: fileName, reason }, { cause })
    const request = { input: file, isLive: false, watchMs: 0, timeoutMs: PROBE_TIMEOUT_MS, outbound: null }
    const report = await probe(id, request).catch((error: unknown) => {
      throw error instanceof AppError ? error : unreadable((error as Error).message, error)
    })
    if (!isContainerOf(extension, report.container))
      throw unreadable(`inside it is ${report.container}; name it accordingly.`)
    if (report.first_frame_ms === null) throw unreadable(report.problems.join(' '))
    const { codec, width, height, fps, has_b_frames: hasBFrames } = report
    return { codec, width, height, fps, hasBFrames }
  }

  /** The row before the file: what a crash leaves behind is removed at the next start. */
  const removeSource = ({ id, accountId, file }: Source): Promise<void> =>
    turns.take(accountId, async () => {
      await store.remove(id)
      if (file !== null && !(await store.isFileUsed(file))) await videos.remove(file)
    })

  /** Whoever publishes or reads by a token of this source is sent away with it. */
  async function removeWithTokens(source: Source): Promise<void> {
    const issued = await tokens.list(source.id)
    await removeSource(source)
    for (const { id } of issued) streams.expel(tokenPrincipal(id))
    if (source.mediaPath) await recordings.refresh(source.mediaPath)
  }

  return {
    find,
    mediaPathOf,

    /** From now on it is asked which sources it uses: such a source stays. */
    addUser: (user: SourceUser): void => void users.push(user),

    /**
     * The path of our own media server from which a stream is to be read; null for one elsewhere. Asked at every start: a name
     * may lead here now that did not when it was registered, and rights may be others.
     */
    async pathToRead(sourceId: string): Promise<string | null> {
      const source = await store.findById(sourceId)
      if (!source || source.type === 'file') return null
      const account = await findAccount(source.accountId)
      if (source.mediaPath !== null) {
        await checkOwned(account, source.mediaPath)
        return source.mediaPath
      }
      const mediaPath = await mediaPathOf(account, source.inputUrl)
      if (mediaPath !== null) {
        const holder = await store.findOutputAt(mediaPath)
        if (holder) throw pathInUse(account, mediaPath, holder)
        await store.setMediaPath(sourceId, mediaPath)
        await recordings.refresh(mediaPath)
      }
      return mediaPath
    },

    async registerStream(account: Account, stream: NewStream): Promise<Registered> {
      const mediaPath = await mediaPathOf(account, stream.input_url)
      await checkBroker(account, stream.telemetry_cfg)
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
        contentSha256: null,
        file: null,
      })
      if (mediaPath && registered.isNew) void recordings.refresh(mediaPath)
      return registered
    },

    /** Takes a file in, within what the key and the disk allow. It must be discarded in the end, registered or not. */
    async receiveVideo(account: Account, fileName: string, stream: Readable): Promise<ReceivedVideo> {
      const { reserve, release } = uploads.enter(account)
      try {
        const limits = { limitBytes: account.limits.maxVideoUploadSizeBytes, reserve }
        return { ...(await videos.receive(stream, fileName, limits)), release }
      } catch (error) {
        release()
        throw error
      }
    },

    async discardVideo(received: ReceivedVideo): Promise<void> {
      await videos.discard(received).finally(received.release)
    },

    /** The bytes are kept once for an account, however many of its sources have them. */
    async registerVideo(
      account: Account,
      received: ReceivedFile,
      { alias = received.fileName, telemetryCfg = null }: VideoDetails,
    ): Promise<Registered> {
      await checkBroker(account, telemetryCfg)
      const { sha256: contentSha256 } = received
      const fingerprint = fileFingerprint({ contentSha256, alias, telemetryCfg })
      const existing = await store.findByFingerprint(account.id, fingerprint)
      if (existing) return { source: existing, isNew: false }
      const video = (await store.findByContent(account.id, contentSha256))?.video ?? (await lookAt(account, received))

      return turns.take(account.id, async () => {
        const file = (await store.findByContent(account.id, contentSha256))?.file ?? toVideoFile(account.id, received)
        // The file before the row: a row without its file would be found again by its content, and never work.
        await videos.keep(received, file)
        try {
          return await insert(account, {
            id: orderedUuid(),
            accountId: account.id,
            alias,
            type: 'file',
            inputUrl: received.fileName,
            streamType: null,
            telemetryCfg,
            mediaPath: null,
            sizeBytes: received.sizeBytes,
            video,
            fingerprint,
            createdAt: clock.now(),
            contentSha256,
            file,
          })
        } catch (error) {
          if (!(await store.isFileUsed(file))) await videos.remove(file)
          throw error
        }
      })
    },

    list: (account: Account, page: PageRequest): Promise<Page<Source>> => store.list(account.id, page),

    usedBytes: (account: Account): Promise<number> => store.usedBytes(account.id),

    /** Its recordings stay until their retention; its file goes with the last source that has it. */
    async remove(account: Account, sourceId: string): Promise<void> {
      const source = await find(account, sourceId)
      if (isProcessed(sourceId)) throw new AppError('source-in-use')
      await removeWithTokens(source)
    },

    /** The account is gone, and wants nothing kept. */
    async removeAllOf(accountId: string): Promise<void> {
      for (;;) {
        const { items } = await store.list(accountId, { limit: 100 })
        if (items.length === 0) return videos.removeEmptyFolder(accountId)
        for (const source of items) await removeWithTokens(source)
      }
    },

    statusOf({ id, mediaPath }: Source): SourceStatus {
      if (isProcessed(id)) return 'processing'
      if (mediaPath === null) return 'unknown'
      return streams.livePaths.find(mediaPath) ? 'streaming' : 'offline'
    },

    recordingOf({ id, accountId, mediaPath }: Source): 'on' | 'off' | 'stopped-disk-full' | null {
      if (mediaPath === null) return null
      if (recordings.recordedSource(mediaPath) === id) return 'on'
      return recordings.isStopped(accountId) && streams.livePaths.find(mediaPath) ? 'stopped-disk-full' : 'off'
    },

    async issueToken(account: Account, sourceId: string, { action, expires_in_seconds }: NewToken, host: string) {
      const source = await find(account, sourceId)
      if (source.mediaPath === null) throw new AppError('source-not-published-here')
      const token = `tk_${randomBytes(24).toString('base64url')}`
      const createdAt = clock.now()
      const expiresAt = expires_in_seconds === undefined ? null : createdAt + expires_in_seconds * 1000
      const record: SourceToken = { id: orderedUuid(), sourceId, action, expiresAt, createdAt }
      const username = ownerOfPath(source.mediaPath)
      const sha256 = createHash('sha256').update(token).digest('hex')
      const hashes = { sha256, ha1: digestHa1(username, DIGEST_REALM, token) }
      if (!(await tokens.insertWithinLimit(source.accountId, record, hashes, MAX_TOKENS)))
        throw new AppError('token-limit-reached', { limit: MAX_TOKENS })
      const { mediaPath } = source
      return { record, token, mediaPath, urls: streams.addresses.urlsWithToken(mediaPath, token, host) }
    },

    async listTokens(account: Account, sourceId: string): Promise<SourceToken[]> {
      await find(account, sourceId)
      return tokens.list(sourceId)
    },

    async revokeToken(account: Account, sourceId: string, tokenId: string): Promise<void> {
      await find(account, sourceId)
      if (!(await tokens.remove(sourceId, tokenId))) throw new AppError('token-not-found', { token_uuid: tokenId })
      streams.expel(tokenPrincipal(tokenId))
    },
  }
}

/** FFmpeg names the whole family of QuickTime containers `mov,mp4,…`. */
function isContainerOf(extension: string, container: string): boolean {
  return extension === '.avi' ? container === 'avi' : container.split(',').includes('mp4')
}

function invalid(field: string, message: string): AppError {
  return new AppError('input-invalid', {}, { errors: [{ path: `body.${field}`, message }] })
}
