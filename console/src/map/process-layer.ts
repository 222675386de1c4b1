import { type DetectionMessage } from '@aerie/client'
import L from 'leaflet'
import { trackColour } from '../../../player/track-colour.js'
import { agoWords } from '../time-words.ts'
import { fitPlaces, type Place } from './fit-places.ts'
import { plainText } from './plain-text.ts'

type Track = DetectionMessage['active_tracks'][number]
type Located = Track & { latitude: number; longitude: number }

/** What one process has on the map: its camera, what that sees of the ground, and its tracks with their ways. */
export interface ProcessLayer {
  /** One that is drawn already is not drawn again. It may have been seen a while ago. */
  draw(scene: DetectionMessage, seenAtMs: number): void
  /** Called again and again: a camera that says no more where it is turns grey and has its age. */
  age(telemetryAgeMs: number | null): void
  /** What was seen is no longer there, as far as anybody knows; where the camera was last, stays. */
  clearTracks(): void
  /** Around what is drawn, undefined while that is nothing: all of it, or close to camera and tracks where there are tracks. */
  bounds(how: 'all' | 'close'): L.LatLngBounds | undefined
  remove(): void
}

const MAX_TRAIL = 120
const NARROW_PX = 480
/** A camera may leave a message out; after so long it is where it was, and nobody knows what it sees. */
const STALE_MS = 5_000

export interface LayerColours {
  readonly accent: string
  /** Of what was. */
  readonly stale: string
}

export function createProcessLayer(map: L.Map, name: string, colours: LayerColours): ProcessLayer {
  const group = L.featureGroup().addTo(map)
  const footprint = L.polygon([], { color: colours.accent, weight: 2, fillOpacity: 0.12, interactive: false })
  const camera = L.circleMarker([0, 0], {
    radius: 7,
    color: '#fff',
    weight: 2,
    fillColor: colours.accent,
    fillOpacity: 1,
  })
  // Below the spot, not over its lower half.
  const label = plainText(name)
  camera.bindTooltip(label, { permanent: true, direction: 'bottom', offset: [0, 9], className: 'track-name' })
  const tracks = new Map<number, TrackLayer>()
  /** Where whole names would cover each other, the number must do. */
  const nameOf = ({ class_name, track_id }: Located) => {
    if (track_id === 0) return class_name
    return map.getSize().x < NARROW_PX ? `${track_id}` : `${class_name} ${track_id}`
  }
  let drawn: number | undefined
  let cameraSeenAt = 0

  function drawCamera(given: NonNullable<DetectionMessage['camera']>, seenAtMs: number): void {
    cameraSeenAt = seenAtMs
    camera.setLatLng([given.latitude, given.longitude]).setStyle({ fillColor: colours.accent })
    setLabel(name)
    footprint.setLatLngs(given.footprint as L.LatLngTuple[])
    footprint.addTo(group)
    camera.addTo(group)
  }

  function setLabel(text: string): void {
    if (label.textContent === text) return
    label.textContent = text
    // The same content again, so that it is laid out for its new length.
    camera.setTooltipContent(label)
  }

  function removeTracks(isGone: (id: number) => boolean): void {
    for (const [id, layer] of tracks) {
      if (!isGone(id)) continue
      layer.remove()
      tracks.delete(id)
    }
  }

  return {
    draw({ sequence, camera: given, active_tracks }, seenAtMs) {
      if (sequence === drawn) return
      drawn = sequence
      if (given) drawCamera(given, seenAtMs)
      const located = new Map(active_tracks.filter(isLocated).map((track, index) => [keyOf(track, index), track]))
      removeTracks((id) => !located.has(id))
      for (const [id, track] of located) {
        const layer = tracks.get(id) ?? createTrackLayer(group, track)
        tracks.set(id, layer)
        layer.move(track, nameOf(track))
      }
    },
    age(telemetryAgeMs) {
      const ageMs = Date.now() - cameraSeenAt
      if (!group.hasLayer(camera) || ageMs <= STALE_MS) return
      group.removeLayer(footprint)
      camera.setStyle({ fillColor: colours.stale })
      // A place is reported for a while after the message that it is from.
      setLabel(`${name}, ${agoWords(Math.max(ageMs, telemetryAgeMs ?? 0))}`)
    },
    clearTracks: () => removeTracks(() => true),
    bounds(how) {
      const [corners = []] = group.hasLayer(footprint) ? (footprint.getLatLngs() as L.LatLng[][]) : []
      const places = fitPlaces(
        group.hasLayer(camera) ? toPlace(camera.getLatLng()) : undefined,
        how === 'close' && tracks.size > 0 ? [] : corners.map(toPlace),
        [...tracks.values()].map(({ place }) => toPlace(place())),
      )
      return places.length > 0
        ? L.latLngBounds(places.map(([latitude, longitude]) => [latitude, longitude]))
        : undefined
    },
    remove: () => void group.remove(),
  }
}

const toPlace = ({ lat, lng }: L.LatLng): Place => [lat, lng]

/** Without tracking every id is 0: then it is only a spot, the first, second … of its picture. */
const keyOf = ({ track_id }: Located, index: number) => (track_id > 0 ? track_id : -1 - index)

interface TrackLayer {
  readonly place: () => L.LatLng
  move(track: Located, name: string): void
  remove(): void
}

function createTrackLayer(group: L.FeatureGroup, { track_id, latitude, longitude }: Located): TrackLayer {
  const colour = trackColour(track_id)
  const trail = L.polyline([], { color: colour, weight: 3, interactive: false }).addTo(group)
  // One standard deviation: the place is within it two times of three.
  const error = L.circle([latitude, longitude], {
    radius: 0,
    color: colour,
    weight: 1,
    fillOpacity: 0.15,
    interactive: false,
  })
  error.addTo(group)
  const spot = L.circleMarker([latitude, longitude], {
    radius: 5,
    color: '#000',
    weight: 1,
    fillColor: colour,
    fillOpacity: 1,
  })
  // To the side on which there is more room.
  const label = plainText('')
  spot.bindTooltip(label, { permanent: true, direction: 'auto', className: 'track-name' })
  spot.addTo(group)

  return {
    place: () => spot.getLatLng(),
    move(track, name) {
      const place = L.latLng(track.latitude, track.longitude)
      spot.setLatLng(place)
      if (label.textContent !== name) {
        label.textContent = name
        // The same content again, so that it is laid out for its new length.
        spot.setTooltipContent(label)
      }
      error.setLatLng(place).setRadius(track.position_error_m ?? 0)
      if (track_id > 0) trail.setLatLngs([...(trail.getLatLngs() as L.LatLng[]).slice(-MAX_TRAIL + 1), place])
    },
    remove() {
      for (const layer of [trail, error, spot]) layer.remove()
      for (const layer of [trail, error, spot]) group.removeLayer(layer)
    },
  }
}

export function isLocated(track: Track): track is Located {
  return track.latitude !== undefined && track.longitude !== undefined
}
