import { type DetectionMessage } from '@aerie/client'
import L from 'leaflet'
import { trackColour } from '../live/track-colour.ts'

type Track = DetectionMessage['active_tracks'][number]
type Located = Track & { latitude: number; longitude: number }

/** What one process has on the map: its camera, what that sees of the ground, and its tracks with their ways. */
export interface ProcessLayer {
  draw(scene: DetectionMessage): void
  /** Around everything that is drawn; undefined while that is nothing. */
  bounds(): L.LatLngBounds | undefined
  remove(): void
}

const LONGEST_TRAIL = 120
const NARROW_PX = 480

export function createProcessLayer(map: L.Map, name: string, colours: { accent: string }): ProcessLayer {
  const group = L.featureGroup().addTo(map)
  const footprint = L.polygon([], { color: colours.accent, weight: 2, fillOpacity: 0.12, interactive: false })
  const camera = L.circleMarker([0, 0], {
    radius: 7,
    color: '#fff',
    weight: 2,
    fillColor: colours.accent,
    fillOpacity: 1,
  })
  camera.bindTooltip(name, { permanent: true, direction: 'bottom', className: 'track-name' })
  const tracks = new Map<number, TrackLayer>()
  /** Where whole names would cover each other, the number must do. */
  const nameOf = ({ class_name, track_id }: Located) =>
    map.getSize().x < NARROW_PX ? `${track_id}` : `${class_name} ${track_id}`

  function drawCamera(given: DetectionMessage['camera']): void {
    if (!given) return
    camera.setLatLng([given.latitude, given.longitude])
    footprint.setLatLngs(given.footprint as L.LatLngTuple[])
    if (group.hasLayer(camera)) return
    footprint.addTo(group)
    camera.addTo(group)
  }

  return {
    draw({ camera: given, active_tracks }) {
      drawCamera(given)
      const located = active_tracks.filter(isLocated)
      const here = new Set(located.map(({ track_id }) => track_id))
      for (const [id, layer] of tracks) {
        if (here.has(id)) continue
        layer.remove()
        tracks.delete(id)
      }
      for (const track of located) {
        const layer = tracks.get(track.track_id) ?? createTrackLayer(group, track, nameOf(track))
        tracks.set(track.track_id, layer)
        layer.move(track)
      }
    },
    bounds() {
      const places = [
        ...(group.hasLayer(camera) ? [camera.getLatLng()] : []),
        ...[...tracks.values()].map(({ place }) => place()),
      ]
      // What it sees may reach far beyond anything of interest; it is shown only where nothing else is.
      const bounds = tracks.size > 0 ? L.latLngBounds(places) : group.getBounds()
      return bounds.isValid() ? bounds : undefined
    },
    remove: () => void group.remove(),
  }
}

interface TrackLayer {
  readonly place: () => L.LatLng
  move(track: Located): void
  remove(): void
}

function createTrackLayer(group: L.FeatureGroup, { track_id, latitude, longitude }: Located, name: string): TrackLayer {
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
  spot.bindTooltip(name, { permanent: true, direction: 'auto', className: 'track-name' })
  spot.addTo(group)

  return {
    place: () => spot.getLatLng(),
    move(track) {
      const place = L.latLng(track.latitude, track.longitude)
      spot.setLatLng(place)
      error.setLatLng(place).setRadius(track.position_error_m ?? 0)
      trail.setLatLngs([...(trail.getLatLngs() as L.LatLng[]).slice(-LONGEST_TRAIL + 1), place])
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
