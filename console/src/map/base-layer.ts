import L from 'leaflet'
import { feature } from 'topojson-client'
import land from 'world-atlas/land-110m.json'
import { gridLines } from './grid-lines.ts'
import { type Position, unwrapRing } from './unwrap-ring.ts'

/** What lies beneath: tiles of the operator's server, or else coasts and a grid, which need no internet. */
export function addBase(map: L.Map, tilesUrl: string | null, colours: { line: string; land: string }): void {
  if (tilesUrl !== null) L.tileLayer(tilesUrl, { maxNativeZoom: 19, maxZoom: 22 }).addTo(map)
  else addOutline(map, colours)
  addGrid(map, colours.line)
}

function addOutline(map: L.Map, { line, land: fill }: { line: string; land: string }): void {
  const topology = land as unknown as Parameters<typeof feature>[0]
  const coasts = feature(topology, topology.objects['land']!) as unknown as Coasts
  const style = { color: line, weight: 1, fillColor: fill, fillOpacity: 1, interactive: false }
  for (const { geometry } of coasts.features) {
    for (const polygon of geometry.coordinates) {
      const rings = polygon.map(unwrapRing)
      // What goes beyond 180° on one side is missing on the other.
      for (const turn of [-360, 0, 360])
        L.polygon(
          rings.map((ring) => toPlaces(ring, turn)),
          style,
        ).addTo(map)
    }
  }
}

/** What the package holds: every land of the world in one feature. */
interface Coasts {
  readonly features: readonly { readonly geometry: { readonly coordinates: readonly (readonly Position[])[][] } }[]
}

const toPlaces = (ring: readonly Position[], turn: number) =>
  ring.map(([longitude, latitude]): L.LatLngTuple => [latitude, longitude + turn])

function addGrid(map: L.Map, colour: string): void {
  const group = L.layerGroup().addTo(map)
  const style = { color: colour, weight: 1, interactive: false }
  const draw = () => {
    const bounds = map.getBounds().pad(0.1)
    const [south, west, north, east] = [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()]
    group.clearLayers()
    for (const { axis, degrees } of gridLines({ south, west, north, east })) {
      const ends: L.LatLngTuple[] =
        axis === 'latitude'
          ? [
              [degrees, west],
              [degrees, east],
            ]
          : [
              [south, degrees],
              [north, degrees],
            ]
      L.polyline(ends, style).addTo(group)
    }
  }
  map.on('moveend', draw)
}
