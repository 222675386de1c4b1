import { type DetectionMessage } from '@aerie/client'
import { expect, test } from 'vitest'
import { findPlace, keepPlacesOf, rememberPlace } from './last-places.ts'

const camera = { latitude: 47, longitude: 8, altitude: 500, heading: 90, footprint: [] }
const seen = (id: string, change: Partial<DetectionMessage> = {}) =>
  ({ process_uuid: id, active_tracks: [{ track_id: 1 }], camera, ...change }) as DetectionMessage

test('the last place of a camera stays, without what it saw, until its process is gone', () => {
  rememberPlace({ scene: seen('a'), heardAtMs: 1 })
  rememberPlace({ scene: seen('a', { camera: undefined }), heardAtMs: 2 })
  rememberPlace({ scene: seen('b', { camera: undefined }), heardAtMs: 2 })
  expect(findPlace('a')).toMatchObject({ heardAtMs: 1, scene: { camera, active_tracks: [] } })
  expect(findPlace('b')).toBeUndefined()
  keepPlacesOf(new Set(['b']))
  expect(findPlace('a')).toBeUndefined()
})
