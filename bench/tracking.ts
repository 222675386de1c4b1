import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Box, type Detection } from '../src/core/detection.ts'
import { createScaler, type Scaler } from '../src/pipeline/decode/scaler.ts'
import { createCanvas } from '../src/pipeline/detect/canvas.ts'
import { createDetector, type Detector } from '../src/pipeline/detect/detector.ts'
import { letterboxOf, wholePicture } from '../src/pipeline/detect/letterbox.ts'
import type * as CameraMotions from '../src/pipeline/track/camera-motion.ts'
import { createTracker } from '../src/pipeline/track/tracker.ts'
import { type Benchmark, ms, type Row } from './benchmark.ts'
import { built } from './built.ts'
import { demoClip, demoFrames } from './demo-clip.ts'
import { createSwitchCounter, type Identified } from './identity-switches.ts'

const MIN_FPS = 3_000
const MAX_SWITCHES = 0.5
const PIXELS_PER_SECOND = 60
/** The window is as high as the clip; it turns back at the clip's borders. */
const WINDOW_WIDTH = 480
/** Runs differ in where the window begins, so that each meets other people at its turns. */
const RUNS = 8

export const tracking: Benchmark = {
  name: 'tracking',
  title: 'Tracking',
  about: `The tracker alone on the detections of the demo clip; then a window of ${WINDOW_WIDTH}×576 that pans across it at ${PIXELS_PER_SECOND} pixels a second, as a camera would, detected and tracked anew in ${RUNS} runs that begin at different places. Identities are compared with the tracks of the whole picture, which stands still and is seen by the most accurate model. People only.`,
  async run() {
    const cacheDir = mkdtempSync(join(tmpdir(), 'aerie-bench-'))
    const scaler = createScaler()
    const open = (model: string) => createDetector({ model, cacheDir, confidence: 0.1, classes: ['person'] })
    const [fast, accurate] = [await open('fast'), await open('accurate')]
    try {
      const still = await detectClip(fast, scaler, () => wholePicture(demoClip))
      const framesASecond = measureSpeed(still.map(({ detections }) => detections))
      const truth = trackAll(await detectClip(accurate, scaler, () => wholePicture(demoClip)))
      const pans: { with: Verdict; without: Verdict; windows: readonly WindowFrame[] }[] = []
      for (let run = 0; run < RUNS; run++) {
        const windows = await detectClip(fast, scaler, (index) => windowAt(index, run / RUNS))
        pans.push({ without: judge(truth, windows, false), with: judge(truth, windows, true), windows })
      }
      const middle = { ...windowAt(0, 0), x: (demoClip.width - WINDOW_WIDTH) / 2 }
      const stood = await detectClip(fast, scaler, () => middle)
      const standing = judge(truth, stood, true)
      const sum = (which: 'with' | 'without') => pans.reduce((total, pan) => total + pan[which].switches, 0)
      return [
        {
          what: 'tracker alone, frames a second',
          value: framesASecond.toFixed(0),
          goal: `at least ${MIN_FPS}`,
          isMet: framesASecond >= MIN_FPS,
        },
        { what: 'identity switches in a panned window, without the camera’s motion', value: String(sum('without')) },
        {
          what: 'identity switches in a panned window, with it',
          value: String(sum('with')),
          goal: 'at most half',
          isMet: sum('with') <= MAX_SWITCHES * sum('without'),
        },
        { what: 'the same in one run of a window that stands still', value: String(standing.switches) },
        motionRow(
          'a camera that moves',
          pans.flatMap(({ windows }) => windows),
          5,
        ),
        motionRow('a camera that stands still', stood, 2),
      ]
    } finally {
      await Promise.all([fast.close(), accurate.close()])
      scaler.close()
      rmSync(cacheDir, { recursive: true })
    }
  },
}

/** One frame of a window that moves: everything in the window's own pixels. */
interface WindowFrame {
  readonly window: Box
  readonly detections: readonly Detection[]
  readonly motion: CameraMotions.CameraMotion
  readonly motionMs: number
}

function motionRow(name: string, frames: readonly WindowFrame[], maxMs: number): Row {
  const meanMs = frames.reduce((total, { motionMs }) => total + motionMs, 0) / frames.length
  return {
    what: `the motion of ${name}`,
    value: `${ms(meanMs)} a frame`,
    goal: `under ${maxMs} ms`,
    isMet: meanMs < maxMs,
  }
}

type Verdict = ReturnType<typeof createSwitchCounter>

async function detectClip(
  detector: Detector,
  scaler: Scaler,
  windowOf: (index: number) => Box,
): Promise<WindowFrame[]> {
  const canvas = createCanvas(scaler, detector.inputSize, detector.padding)
  const { width, height } = windowOf(0)
  const { createCameraMotionEstimator } = await built<typeof CameraMotions>('pipeline/track/camera-motion')
  const estimator = createCameraMotionEstimator({ frameWidth: width, frameHeight: height })
  const grey = { width: 320, height: Math.round((320 * height) / width) }
  const bytes = Buffer.alloc(grey.width * grey.height)
  const frames: WindowFrame[] = []
  for await (const { frame } of demoFrames()) {
    const window = windowOf(frames.length)
    const letterbox = letterboxOf(window, detector.inputSize)
    canvas.draw(frame, letterbox)
    const found = await detector.detect(canvas.bytes, letterbox)
    const detections = found.map((detection) => ({ ...detection, box: shift(detection.box, window) }))
    scaler.toGrey(frame, window, { bytes, stride: grey.width, size: grey })
    const startedAt = performance.now()
    const moving = frames.at(-1)?.detections.map(({ box }) => box) ?? []
    const motion = estimator.update({ data: bytes, ...grey, stride: grey.width }, moving)
    frames.push({ window, detections, motion, motionMs: performance.now() - startedAt })
  }
  return frames
}

function trackAll(frames: readonly WindowFrame[], isCompensated = false): Identified[][] {
  const tracker = createTracker()
  return frames.map(({ detections, motion }, index) => {
    const timeMs = (index * 1000) / demoClip.fps
    const tracks = tracker.update({ timeMs, detections, ...(isCompensated && { cameraMotion: motion }) })
    return tracks.filter(({ isConfirmed, matchedNow }) => isConfirmed && matchedNow)
  })
}

function judge(truth: readonly Identified[][], frames: readonly WindowFrame[], isCompensated: boolean): Verdict {
  const counter = createSwitchCounter()
  trackAll(frames, isCompensated).forEach((tracks, index) => {
    const { window } = frames[index]!
    const objects = truth[index]!.map(({ id, box }) => ({ id, box: shift(box, window) }))
    for (const { id, box } of objects) if (box.x + box.width <= 0 || box.x >= window.width) counter.forget(id)
    // A person cut by the window's border is boxed differently: neither right nor wrong.
    counter.frame(
      objects.filter(({ box }) => box.x >= 0 && box.x + box.width <= window.width),
      tracks,
    )
  })
  return counter
}

/** There and back again, from a place between the clip's borders given by `start` (0…1). */
function windowAt(index: number, start: number): Box {
  const reach = demoClip.width - WINDOW_WIDTH
  const way = (start * 2 * reach + (index * PIXELS_PER_SECOND) / demoClip.fps) % (2 * reach)
  const x = 2 * Math.round((way < reach ? way : 2 * reach - way) / 2)
  return { x, y: 0, width: WINDOW_WIDTH, height: demoClip.height }
}

function shift(box: Box, { x, y }: Box): Box {
  return { ...box, x: box.x - x, y: box.y - y }
}

function measureSpeed(frames: readonly (readonly Detection[])[]): number {
  const pass = () => {
    const tracker = createTracker()
    frames.forEach((detections, index) => tracker.update({ timeMs: (index * 1000) / demoClip.fps, detections }))
  }
  for (let warmUp = 0; warmUp < 5; warmUp++) pass()
  const startedAt = performance.now()
  let passes = 0
  while (performance.now() - startedAt < 2_000) {
    pass()
    passes++
  }
  return (passes * frames.length * 1000) / (performance.now() - startedAt)
}
