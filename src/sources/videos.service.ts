import { type Readable } from 'node:stream'
import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type DialCheck } from './dial-check.ts'
import { type Probe } from './prober.ts'
import { notRecorded } from './recording-choice.ts'
import { fileFingerprint, type VideoInfo } from './source.ts'
import { type Registered, type SourceRegistry } from './source-registry.ts'
import { checkNoMask } from './source-secrets.ts'
import { type SourceStore } from './sources.store.ts'
import { type UploadRoom } from './upload-room.ts'
import { type ReceivedFile, type VideoFolder } from './video-upload.ts'

export interface VideoServiceDeps {
  readonly store: Pick<SourceStore, 'findByFingerprint' | 'findByContent'>
  readonly registry: Pick<SourceRegistry, 'insertFile'>
  readonly videos: Pick<VideoFolder, 'receive' | 'discard'>
  readonly uploads: Pick<UploadRoom, 'enter'>
  readonly probe: Probe
  readonly dials: Pick<DialCheck, 'checkBroker'>
  readonly clock: Clock
}

export interface VideoDetails {
  readonly alias?: string | undefined
  readonly telemetryCfg?: TelemetryCfg | null | undefined
}

/** A video that has come in whole; its room is held until it is discarded. */
export interface ReceivedVideo extends ReceivedFile {
  readonly release: () => void
}

/** Video files as sources: received, looked at, registered. */
export interface VideoService {
  /** Takes a file in, within what the key and the disk allow. It must be discarded in the end, registered or not. */
  receive(account: Account, fileName: string, stream: Readable): Promise<ReceivedVideo>
  discard(received: ReceivedVideo): Promise<void>
  /** The bytes are kept once for an account, however many of its sources have them. */
  register(account: Account, received: ReceivedFile, details: VideoDetails): Promise<Registered>
}

const PROBE_TIMEOUT_MS = 10_000

export function createVideoService(deps: VideoServiceDeps): VideoService {
  const { store, registry, videos, uploads, probe, dials, clock } = deps

  /** What is really in a file, by decoding it. */
  async function inspect({ id }: Account, { file, fileName, extension }: ReceivedFile): Promise<VideoInfo> {
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

  return {
    async receive(account, fileName, stream) {
      const { reserve, release } = uploads.enter(account)
      try {
        const limits = { limitBytes: account.limits.maxVideoUploadSizeBytes, reserve }
        return { ...(await videos.receive(stream, fileName, limits)), release }
      } catch (error) {
        release()
        throw error
      }
    },

    async discard(received) {
      await videos.discard(received).finally(received.release)
    },

    async register(account, received, { alias = received.fileName, telemetryCfg = null }) {
      checkNoMask({ telemetry_cfg: telemetryCfg })
      await dials.checkBroker(account, telemetryCfg)
      const { sha256: contentSha256 } = received
      const fingerprint = fileFingerprint({ contentSha256, alias, telemetryCfg })
      const existing = await store.findByFingerprint(account.id, fingerprint)
      if (existing) return { source: existing, isNew: false }
      const video = (await store.findByContent(account.id, contentSha256))?.video ?? (await inspect(account, received))
      return registry.insertFile(account, received, {
        id: orderedUuid(),
        accountId: account.id,
        alias,
        type: 'file',
        inputUrl: received.fileName,
        streamType: null,
        telemetryCfg,
        mediaPath: null,
        isPulled: false,
        ...notRecorded,
        sizeBytes: received.sizeBytes,
        video,
        fingerprint,
        createdAt: clock.now(),
      })
    },
  }
}

/** FFmpeg names the whole family of QuickTime containers `mov,mp4,…`. */
function isContainerOf(extension: string, container: string): boolean {
  return extension === '.avi' ? container === 'avi' : container.split(',').includes('mp4')
}
