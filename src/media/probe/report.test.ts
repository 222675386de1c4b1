import { expect, test } from 'vitest'
import { type Sight, toReport } from './report.ts'

const packets = (count: number, fps: number, keyframeEvery: number) =>
  Array.from({ length: count }, (_, index) => ({ ptsSeconds: index / fps, isKeyframe: index % keyframeEvery === 0 }))

const healthy: Sight = {
  isLive: true,
  container: 'rtsp',
  codec: 'h264',
  width: 1280,
  height: 720,
  pixelFormat: 'yuv420p',
  fpsDeclared: 30,
  isReordered: false,
  audioCodec: undefined,
  durationSeconds: undefined,
  openMs: 100,
  firstFrameMs: 150,
  packets: packets(240, 30, 30),
  skewMs: 40,
}

test('a healthy stream has nothing to complain about', () => {
  expect(toReport(healthy)).toMatchObject({
    fps: 30,
    measured_fps: 30,
    keyframe_interval_seconds: 1,
    has_b_frames: false,
    problems: [],
  })
})

test.each([
  ['rare keyframes', { packets: packets(400, 30, 180) }, 'A keyframe comes only every 6 s'],
  ['no second keyframe', { packets: packets(240, 30, 1000) }, 'No second keyframe'],
  [
    'B-frames',
    { packets: [0, 3, 1, 2, 6, 4].map((index) => ({ ptsSeconds: index / 30, isKeyframe: index === 0 })) },
    'B-frames',
  ],
  ['B-frames that are only announced', { isReordered: true }, 'B-frames'],
  ['another codec', { codec: 'mjpeg' }, 'send H.264'],
  ['H.265', { codec: 'hevc' }, 'most browsers'],
  ['nothing to see', { firstFrameMs: undefined }, 'No picture could be decoded'],
  ['no size', { width: 0 }, 'parameter sets'],
  ['a wrong clock', { skewMs: 7_300 }, 'differs from ours by 7.3 s'],
  ['no sender reports', { skewMs: undefined }, 'dated by their arrival'],
  ['one frame every two seconds', { packets: packets(5, 0.5, 1) }, 'Only 0.5 frames a second'],
])('%s: said in words', (_name, change, sentence) => {
  expect(toReport({ ...healthy, ...change }).problems.join('\n')).toContain(sentence)
})

test('a declared frame rate that makes no sense gives way to the measured one', () => {
  expect(toReport({ ...healthy, fpsDeclared: NaN }).fps).toBe(30)
})
