import '../av/polyfill.ts'
import { createCommandHandler } from './command-handler.ts'
import { createScaler } from './decode/scaler.ts'
import { embeddedModels } from './detect/model-catalog.ts'
import { type DetectionLoopOptions, runDetection } from './detection-loop.ts'
import { createDetectionStages } from './detection-stages.ts'
import { createGeolocation } from './geolocate/geolocation.ts'
import { loadDetector } from './load-detector.ts'
import { type FromWorker, type PipelineCommand, type PipelineOrder } from './messages.ts'
import { createLatestTracks, toOverlayTracks } from './overlay-tracks.ts'
import { createPauseSwitch } from './pause.ts'
import { picturesToDetect } from './pictures-to-detect.ts'
import { createPreview } from './preview.ts'
import { createRest } from './rest.ts'
import { createScenePictures } from './scene-pictures.ts'
import { createHeldSinks } from './send/held-sinks.ts'
import { createSinkOpener } from './send/open-sink.ts'
import { createSourceStatus } from './source-status.ts'
import { createStatistics } from './statistics.ts'
import { createTrackPictures } from './track-pictures.ts'
import { transformPoint } from './track/plane-transform.ts'
import { createStageTracker } from './track/track-stage.ts'
import { alone, type Turns } from './turns.ts'
import { createVideoOut } from './video-out.ts'

export interface Pipeline {
  /** Resolves at the end of a file or when `close` was called; rejects with a `PipelineError` when it is of no use to go on. */
  readonly ended: Promise<void>
  handle(command: PipelineCommand): void
  /** Resolves when everything is released. */
  close(): Promise<void>
}

const REPORT_EVERY_MS = 1_000

/**
 * The way of a frame:
 *
 *   live:  source ▶ (rest) ▶ decode ┬▶ newest ▶ (pause) ▶ detect ▶ track ▶ geolocate ▶ scene
 *                                   └▶ every picture, as it is ▶ preview; with the tracks predicted to its time ▶ video out
 *   file:  source ▶ decode ▶ pace and pause ▶ detect ▶ track ▶ geolocate ┬▶ scene
 *                                                                        └▶ video out
 *
 * Detection works in a thread of its own, so that decoding goes on meanwhile.
 */
export function startPipeline(
  order: PipelineOrder,
  send: (message: FromWorker) => void,
  turns: Turns = alone,
): Pipeline {
  const { input, detection, isTracking } = order
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = createPauseSwitch(order.isPaused)
  const statistics = createStatistics(() => performance.now())
  const rest = createRest(order.isCrowded)
  const scaler = createScaler()
  const card = embeddedModels.find(({ name }) => name === detection.model)
  const tracker = createStageTracker(order.firstTrackId, detection.confidence, card)
  const latestTracks = createLatestTracks(isTracking ? tracker : undefined)
  const geolocation =
    order.geolocation && createGeolocation(order.geolocation, (sentence) => send({ type: 'warning', sentence }))
  const openSink = createSinkOpener(order.outbound)
  const sinks = createHeldSinks(openSink, order.areOutputsHeld)
  const videoOut = createVideoOut(send, sinks.openSink)
  for (const output of order.outputs) videoOut.attach(output)
  videoOut.setFeedWanted(order.isFeedWanted)
  const preview = createPreview(send, openSink)
  preview.setTarget(order.preview)
  // Without tracking there is nothing of which one picture could be the best.
  const trackPictures = order.keepsPictures && isTracking ? createTrackPictures(send) : undefined
  const scenePictures = createScenePictures(send, order.areScenesWanted)
  const status = createSourceStatus({
    isFile: input.kind === 'file',
    send,
    onChange() {
      preview.setLost(status.isLost)
      updateNotice()
    },
  })

  function updateNotice(): void {
    videoOut.setNotice(pause.isPaused ? 'Paused' : status.isLost ? 'Source lost, reconnecting …' : undefined)
  }

  async function run(): Promise<void> {
    const loading = loadDetector(detection, isTracking)
    loading.catch(() => {})
    // The source is opened while the model is loaded.
    const shown = { preview, videoOut, latestTracks }
    const { pictures, beginLook } = picturesToDetect({
      order,
      status,
      statistics,
      pause,
      rest,
      turns,
      signal,
      ...shown,
    })
    const detector = await loading
    status.onModelLoaded()
    try {
      const stages = createDetectionStages({
        order,
        detector,
        scaler,
        tracker,
        geolocation,
        isCrowded: () => rest.isCrowded,
        beginLook,
        endLook: () => turns.over(),
        onCameraMotion: ({ transform }) => videoOut.carry((point) => transformPoint(transform, point)),
      })
      rest.watch(stages)
      const onTracks: DetectionLoopOptions['onTracks'] =
        input.kind === 'file'
          ? (picture, tracks) => videoOut.show(picture, toOverlayTracks(tracks))
          : (_picture, tracks) => latestTracks.set(tracks)
      await runDetection(pictures, { stages, status, statistics, trackPictures, scenePictures, onTracks, send, signal })
    } finally {
      await detector.close()
    }
  }

  const reporting = setInterval(() => send({ type: 'stats', stats: statistics.report() }), REPORT_EVERY_MS)
  const ended = run().finally(async () => {
    clearInterval(reporting)
    const isWanted = !signal.aborted
    // Whatever ended it, nothing more is read or shown.
    stopping.abort()
    await videoOut.close()
    await preview.close()
    await trackPictures?.close()
    await scenePictures.close()
    scaler.close()
    if (isWanted) send({ type: 'stats', stats: statistics.report() })
  })
  ended.catch(() => {})

  const handle = createCommandHandler({
    pause,
    rest,
    sinks,
    status,
    geolocation,
    videoOut,
    preview,
    scenePictures,
    trackPictures,
    onPause: updateNotice,
  })

  return {
    ended,
    handle,
    async close() {
      stopping.abort()
      pause.set(false)
      await ended.catch(() => {})
    },
  }
}
