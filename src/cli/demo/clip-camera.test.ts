import { afterEach, beforeEach, expect, test } from 'vitest'
import { startOpenRtspServer } from '../../../test/support/rtsp-server.ts'
import { until } from '../../../test/support/until.ts'
import { parseHeader } from '../../media/rtp/packet.ts'
import { OWN_SERVER } from '../../media/rtsp/client/connection.ts'
import { openRtspPlayer } from '../../media/rtsp/client/player.ts'
import { openClipCamera } from './clip-camera.ts'
import { type Clip, loadClip } from './clip.ts'

let server: Awaited<ReturnType<typeof startOpenRtspServer>>
beforeEach(async () => void (server = await startOpenRtspServer()))
afterEach(() => server.close())

test('the demo’s clip is a keyframe a second, seven frames a second, for 24 seconds', async () => {
  const { frames, durationMs, parameterSets } = await loadClip('assets/demo/people-walking.mp4')
  expect(frames).toHaveLength(168)
  expect(durationMs).toBeCloseTo(24_000, -1)
  expect(parameterSets).toHaveLength(2)
  expect(frames.flatMap(({ isKeyframe }, index) => (isKeyframe ? [index] : [])).slice(0, 3)).toEqual([0, 7, 14])
  expect(frames[1]!.atMs - frames[0]!.atMs).toBeCloseTo(1000 / 7, 0)
})

test('the time line goes on from loop to loop, and reports tell the time of day', async () => {
  const { parameterSets, frames } = await loadClip('assets/demo/people-walking.mp4')
  // Three pictures in 60 ms, so that loops are short.
  const short: Clip = {
    parameterSets,
    frames: frames.slice(0, 3).map((frame, index) => ({ ...frame, atMs: index * 20 })),
    durationMs: 60,
  }
  const camera = await openClipCamera(short, server.url)
  const player = await openRtspPlayer(server.url, OWN_SERVER)
  const timestamps = new Set<number>()
  const reports: { timestamp: number; wallClockMs: number }[] = []
  await player.start({
    packet: (_track, packet) => void timestamps.add(parseHeader(packet)!.timestamp),
    report: (report) => void reports.push(report),
    end: () => {},
  })
  await until(async () => timestamps.size > 20 && reports.length > 0)
  await player.close()
  await camera.close()

  const steps = [...timestamps].slice(1).map((timestamp, index) => (timestamp - [...timestamps][index]!) % 2 ** 32)
  expect(new Set(steps.map((step) => (step + 2 ** 32) % 2 ** 32))).toEqual(new Set([20 * 90]))
  expect(Math.abs(reports[0]!.wallClockMs - Date.now())).toBeLessThan(3_000)
})

test('a camera whose media server is gone says so', async () => {
  const camera = await openClipCamera(await loadClip('assets/demo/people-walking.mp4'), server.url)
  await server.close()
  await expect(camera.ended).rejects.toThrow()
  await camera.close()
})
