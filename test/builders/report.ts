import { type ProcessBrief } from '../../src/core/events.ts'
import { type Scene, type SceneTrack } from '../../src/core/scene.ts'
import { type TrackPicture } from '../../src/core/track-picture.ts'
import { type ReportTrack } from '../../src/reports/report.ts'
import { type OpenReport } from '../../src/reports/reports.service.ts'

/** A frame of 200 × 100 in which these were seen. */
export function sceneOf(takenAtMs: number, tracks: readonly SceneTrack[]): Scene {
  return { takenAtMs, frame: { width: 200, height: 100, ptsSeconds: 0, rtpTimestamp: null }, tracks }
}

export function seen(id: number, change: Partial<SceneTrack> = {}): SceneTrack {
  const box = { x: 20, y: 10, width: 50, height: 40 }
  return { id, classId: 1, className: 'person', box, confidence: 0.5, ...change }
}

export function seenAt(
  id: number,
  latitudeDeg: number,
  longitudeDeg: number,
  change: Partial<SceneTrack> = {},
): SceneTrack {
  const point = { latitudeDeg, longitudeDeg, altitudeM: 12 }
  return seen(id, { location: { azimuthDeg: 1, elevationDeg: 1, telemetryAgeMs: 0, point }, ...change })
}

/** What begins and ends as a JPEG does, whatever is between. */
export function jpegOf(content: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.from(content), Buffer.from([0xff, 0xd9])])
}

/** What events say of a process. */
export function aBrief(processId: string, isReported = true): ProcessBrief {
  return { processId, accountId: 'account', sourceId: 'source', sourceUrl: 'rtsp://camera', isReported }
}

export function aTrackPicture(trackId: number, change: Partial<TrackPicture> = {}): TrackPicture {
  const jpeg = jpegOf(`picture of ${trackId}`)
  return { trackId, role: 'patch', slot: 0, takenAtMs: 1_000, confidence: 0.9, quality: 1, jpeg, ...change }
}

export function aReportTrack(change: Partial<ReportTrack> = {}): ReportTrack {
  const firstLocation = { latitude: 48.1, longitude: 11.5, altitude: 500, timestamp: 1 }
  return {
    trackId: 7,
    classId: 3,
    className: 'car',
    box: [1, 2, 30, 40],
    firstSeenAt: 1_000,
    lastSeenAt: 3_000,
    firstLocation,
    lastLocation: { ...firstLocation, latitude: 48.2, longitude: 11.6, timestamp: 3 },
    isLive: false,
    times: [1_000, 2_000, 3_000],
    confidences: [50, 75.5, 60.25],
    boxes: [
      [1, 0, 0, 30, 40],
      [2, 0.5, 1, 30, 40],
      [4, 1, 2, 30, 40],
    ],
    places: [[48.1, 11.5, 500], null, [48.2, 11.6, 500]],
    ...change,
  }
}

export function openReportOf(...tracks: ReportTrack[]): OpenReport {
  const report = {
    id: '00000000-0000-7000-8000-000000000001',
    accountId: 'account',
    sourceId: '00000000-0000-7000-9000-000000000000',
    alias: 'gate & yard',
    state: 'finished',
    isLive: false,
    createdAt: 0,
    startedAt: 1_000,
    stoppedAt: 3_000,
    trackCount: tracks.length,
    lastFrame: { takenAt: 3_000, heardAt: 3_000 },
    enhancement: null,
  }
  return {
    report,
    time: 4_500,
    window: { from: 0, to: null, minutes: 10 },
    tracks: (async function* () {
      yield* tracks
    })(),
  }
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}
