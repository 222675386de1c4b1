import '../av/polyfill.ts'
import { type GeoPoint } from '../core/geo-point.ts'
import { type SceneTrack } from '../core/scene.ts'
import { type TelemetrySample } from '../core/telemetry.ts'
import { createGreyScaler } from './decode/grey-scaler.ts'
import { createScaler } from './decode/scaler.ts'
import { decode } from './decode/decode-stage.ts'
import { type Tiling } from './detect/auto-tiles.ts'
import { createDetector, type Detector } from './detect/detector.ts'
import { detect } from './detect/detect-stage.ts'
import { embeddedModels } from './detect/model-catalog.ts'
import { createPictureDetector } from './detect/picture-detector.ts'
import { createTilePlanner } from './detect/tile-planner.ts'
import { parseTileGrid } from './detect/tiles.ts'
import { createGeolocation } from './geolocate/geolocation.ts'
import { newest } from './hand-over.ts'
import {
  type DetectionOrder,
  type FromWorker,
  type PipelineOrder,
  type PipelineOutput,
  type TilingReport,
} from './messages.ts'
import { type OverlayTrack } from './overlay/overlay-track.ts'
import { type OpenedVideo, type Picture } from './picture.ts'
import { createPreview } from './preview.ts'
import { PipelineError } from './pipeline-error.ts'
import { createPauseSwitch, keepPace, skipPauses } from './pause.ts'
import { fileSource } from './source/file-source.ts'
import { liveSource } from './source/live-source.ts'
import { createStatistics } from './statistics.ts'
import { transformPoint } from './track/plane-transform.ts'
import { type Track } from './track/track.ts'
import { createStageTracker, nameNothing, track } from './track/track-stage.ts'
import { createTrackPictures } from './track-pictures.ts'
import { createVideoOut } from './video-out.ts'

export interface Pipeline {
  /** Resolves at the end of a file or when `close` was called; rejects with a `PipelineError` when it is of no use to go on. */
  readonly ended: Promise<void>
  setPaused(isPaused: boolean): void
  /** The source is there again. */
  retry(): void
  addTelemetry(sample: TelemetrySample): void
  attach(output: PipelineOutput): void
  detach(outputId: string): void
  /** Somebody looks at the feed, or nobody any more. */
  setFeedWanted(isWanted: boolean): void
  /** Where a preview is published; null while nobody looks. */
  setPreview(url: string | null): void
  /** Pictures of tracks are told anew. */
  forgetPictures(): void
  /** Resolves when everything is released. */
  close(): Promise<void>
}

/** Less is noise for the tracker too. */
const MIN_CONFIDENCE = 0.1
/** What is told without tracking, unless the user says otherwise. */
const DEFAULT_CONFIDENCE = 0.3
const REPORT_EVERY_MS = 1_000
/** However small things are, tracking needs this many pictures a second. */
const MIN_FPS = 2

/**
 * The way of a frame:
 *
 *   live:  source ▶ decode ┬▶ newest ▶ (pause) ▶ detect ▶ track ▶ scene
 *                          └▶ every picture, as it is ▶ preview; with the tracks predicted to its time ▶ video out
 *   file:  source ▶ decode ▶ pace and pause ▶ detect ▶ track ┬▶ scene
 *                                                            └▶ video out
 *
 * Detection works in a thread of its own, so that decoding goes on meanwhile.
 */
export function startPipeline(order: PipelineOrder, tell: (message: FromWorker) => void): Pipeline {
  const { input, detection, isTracking } = order
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = createPauseSwitch(order.isPaused)
  const statistics = createStatistics(() => performance.now())
  const scaler = createScaler()
  const card = embeddedModels.find(({ name }) => name === detection.model)
  const tracker = createStageTracker(order.firstTrackId, detection.confidence, card)
  const geolocation =
    order.geolocation && createGeolocation(order.geolocation, (sentence) => tell({ type: 'warning', sentence }))
  const videoOut = createVideoOut(tell)
  for (const output of order.outputs) videoOut.attach(output)
  videoOut.setFeedWanted(order.isFeedWanted)
  const preview = createPreview(tell)
  preview.setUrl(order.previewUrl)
  // Without tracking there is nothing of which one picture could be the best.
  const trackPictures = order.keepsPictures && isTracking ? createTrackPictures(tell) : undefined
  let isLost = false
  /** What was last seen of a live stream. */
  let told: readonly SceneTrack[] = []
  let onRetry = () => {}
  let isThereAgain = false
  let opened: OpenedVideo | undefined
  let isToldRunning = false
  let isLoaded = false

  function onOpened(video: OpenedVideo): void {
    opened = video
    isToldRunning = false
    isLost = false
    preview.setLost(false)
    updateNotice()
  }

  function onLost(sentence: string): void {
    isLost = true
    preview.setLost(true)
    updateNotice()
    tell({ type: 'reconnecting', sentence })
  }

  function tellRunning({ takenAtMs, ptsSeconds, decoded: { width, height } }: Picture): void {
    if (isToldRunning || !opened) return
    isToldRunning = true
    const video = { codec: opened.codec, width, height, fps: opened.fps ?? null }
    const startedAtMs = input.kind === 'file' ? takenAtMs - ptsSeconds * 1000 : Date.now()
    tell({ type: 'running', video, startedAtMs: Math.round(startedAtMs) })
  }

  function updateNotice(): void {
    videoOut.setNotice(pause.isPaused ? 'Paused' : isLost ? 'Source lost, reconnecting …' : undefined)
  }

  const source = () =>
    input.kind === 'file'
      ? fileSource(input, signal)
      : liveSource(input, {
          signal,
          onLost,
          retried: () =>
            new Promise((resolve) => {
              onRetry = resolve
              // It came back while the last attempt was under way.
              if (isThereAgain) resolve()
              isThereAgain = false
            }),
        })

  /** Every decoded picture, counted; those of a file that an earlier worker has seen are left out. */
  async function* decoded(): AsyncGenerator<Picture, void, undefined> {
    const resumeAfter = input.kind === 'file' ? (input.resumeAfterSeconds ?? -Infinity) : -Infinity
    for await (const picture of decode({
      limit: order.maxPicture,
      onOpened,
      onBroken: () => statistics.broken(),
    })(source())) {
      statistics.decoded()
      if (picture.ptsSeconds <= resumeAfter) {
        picture.decoded.release()
        continue
      }
      // While paused nothing is detected, but a source that was lost is there again.
      if (pause.isPaused && isLoaded) tellRunning(picture)
      yield picture
    }
  }

  const tracksFor = ({ timeMs }: Picture) =>
    isTracking ? toOverlay(tracker.predictAt(timeMs), told) : told.map(toOverlayTrack)

  /** Live pictures are shown as they come; detection sees only some of them. */
  async function* shown(pictures: AsyncIterable<Picture>): AsyncGenerator<Picture, void, undefined> {
    for await (const picture of pictures) {
      preview.show(picture)
      // The first one also while paused, so that outputs have a picture to hold.
      if (!pause.isPaused || videoOut.isEmpty) videoOut.show(picture, tracksFor(picture))
      yield picture
    }
  }

  async function run(): Promise<void> {
    const loading = loadDetector(detection, isTracking)
    loading.catch(() => {})
    // The source is opened while the model is loaded.
    const pictures =
      input.kind === 'file'
        ? keepPace(input.pace, pause, signal)(decoded())
        : skipPauses(pause)(newest(shown(decoded()), () => pause.isPaused || statistics.dropped()))
    const detector = await loading
    isLoaded = true
    try {
      await work(pictures, detector)
    } finally {
      await detector.close()
    }
  }

  async function work(pictures: AsyncIterable<Picture>, detector: Detector): Promise<void> {
    let inferenceMs = 0
    const isFast = input.kind === 'file' && input.pace === 'fast'
    const planner =
      detection.tiles === 'auto'
        ? createTilePlanner({
            canvas: detector.inputSize,
            trainedSize: detector.trainedSize,
            wantedDetail: detector.wantedDetail,
            isOnGround: detector.isOnGround,
            telemetryAt: (timeMs) => geolocation?.telemetryAt(timeMs),
            minFps: isFast ? null : MIN_FPS,
          })
        : undefined
    const timed = {
      ...detector,
      async detect(...args: Parameters<Detector['detect']>) {
        const startMs = performance.now()
        const found = await detector.detect(...args)
        const tookMs = performance.now() - startMs
        inferenceMs += tookMs
        planner?.noteLook(tookMs)
        return found
      },
    }
    const greyOf = createGreyScaler(scaler)
    const seen = detect({
      detector: createPictureDetector({ detector: timed, scaler, tiles: planner ?? parseTileGrid(detection.tiles) }),
      isAhead: isFast,
    })(pictures)
    const tracked = isTracking
      ? track({
          tracker,
          confidence: detection.confidence,
          onCameraMotion: ({ transform }) => videoOut.carry((point) => transformPoint(transform, point)),
          greyOf: ({ decoded: { frame } }) => greyOf(frame),
        })(seen)
      : nameNothing(detection.confidence ?? DEFAULT_CONFIDENCE)(seen)

    for await (const picture of tracked) {
      const { takenAtMs, detectedAtMs, arrivedMs, ptsSeconds, rtpTimestamp } = picture
      const { width, height } = picture.decoded
      const tracks = geolocation?.locate(picture.tracks, { width, height, takenAtMs }) ?? picture.tracks
      const camera = geolocation?.camera({ width, height, takenAtMs })
      if (input.kind === 'file') videoOut.show(picture, tracks.map(toOverlayTrack))
      else told = tracks
      trackPictures?.see(picture, tracks, picture.known)
      picture.decoded.release()
      if (signal.aborted) return
      if (planner?.tiling) statistics.tiled(toReport(planner.tiling))
      statistics.inferred(inferenceMs)
      inferenceMs = 0
      tellRunning(picture)
      const frame = { width, height, ptsSeconds, rtpTimestamp }
      tell({ type: 'scene', scene: { takenAtMs, detectedAtMs, frame, tracks, ...(camera && { camera }) } })
      statistics.processed(performance.now() - arrivedMs)
    }
    if (!isToldRunning && !signal.aborted) throw new PipelineError('source-unreadable', 'No picture could be decoded.')
  }

  const reporting = setInterval(() => tell({ type: 'stats', stats: statistics.report() }), REPORT_EVERY_MS)
  const ended = run().finally(async () => {
    clearInterval(reporting)
    const isWanted = !signal.aborted
    // Whatever ended it, nothing more is read or shown.
    stopping.abort()
    await videoOut.close()
    await preview.close()
    await trackPictures?.close()
    scaler.close()
    if (isWanted) tell({ type: 'stats', stats: statistics.report() })
  })
  ended.catch(() => {})

  return {
    ended,
    setPaused(isPaused) {
      pause.set(isPaused)
      updateNotice()
    },
    addTelemetry: (sample) => geolocation?.addTelemetry(sample),
    attach: (output) => videoOut.attach(output),
    detach: (outputId) => void videoOut.detach(outputId),
    setFeedWanted: (isWanted) => videoOut.setFeedWanted(isWanted),
    setPreview: (url) => preview.setUrl(url),
    forgetPictures: () => trackPictures?.forget(),
    retry() {
      isThereAgain = true
      onRetry()
    },
    async close() {
      stopping.abort()
      pause.set(false)
      await ended.catch(() => {})
    },
  }
}

async function loadDetector(
  { model, cacheDir, modelsDir, threads, confidence, classes }: DetectionOrder,
  isTracking: boolean,
): Promise<Detector> {
  const wanted = confidence ?? DEFAULT_CONFIDENCE
  try {
    return await createDetector({
      model,
      cacheDir,
      modelsDir,
      threads,
      // Tracks are followed through moments in which they are hardly seen.
      confidence: isTracking ? Math.min(MIN_CONFIDENCE, wanted) : wanted,
      ...(classes && { classes }),
    })
  } catch (error) {
    throw new PipelineError('model-unusable', (error as Error).message, { cause: error })
  }
}

function toReport({ grid, scale, looks, sentence }: Tiling): TilingReport {
  return { grid: `${grid.columns}x${grid.rows}`, scale: Math.round(scale * 1000) / 1000, looks, sentence }
}

/** Predicted places on the picture, with where on Earth each was last seen. */
function toOverlay(tracks: readonly Track[], told: readonly SceneTrack[]): OverlayTrack[] {
  const points = new Map(told.map(({ id, location }) => [id, location?.point]))
  return tracks.map(({ id, className, confidence, box, matchedNow }) => {
    return { id, className, confidence, box, isGuessed: !matchedNow, ...placeOf(points.get(id)) }
  })
}

function toOverlayTrack({ id, className, confidence, box, location }: SceneTrack): OverlayTrack {
  return { id, className, confidence, box, ...placeOf(location?.point) }
}

function placeOf(point: GeoPoint | undefined): Pick<OverlayTrack, 'latitude' | 'longitude'> {
  return point ? { latitude: point.latitudeDeg, longitude: point.longitudeDeg } : {}
}
