import { expect, test } from 'vitest'
import { aProcess, aScene } from '../../test/builders/process.ts'
import { DetectionMessage, toDetectionMessage } from './detection-message.ts'

test('a message has every field, boxes in pixels and in fractions, percent, and no password', () => {
  const process = aProcess({ sourceUrl: 'rtsp://cam:secret@camera.local/1' })
  const message = toDetectionMessage(process, aScene({ ids: [4], ptsSeconds: 1 / 3 }), 12)
  expect(message).toEqual({
    timestamp: '2026-01-01T00:00:00.000Z',
    source_uri: expect.not.stringContaining('secret') as string,
    process_uuid: process.id,
    sequence: 12,
    frame: { width: 200, height: 100, pts: 0.333333, rtp_timestamp: null },
    active_tracks: [
      {
        track_id: 4,
        class_id: 1,
        class_name: 'person',
        bbox: [20, 10, 50, 40],
        scaled_bbox: [0.1, 0.1, 0.25, 0.4],
        confidence: 50,
      },
    ],
  })
  expect(DetectionMessage.parse(message)).toEqual(message)
})
