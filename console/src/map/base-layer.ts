import L from 'leaflet'
import { feature } from 'topojson-client'
import land from 'world-atlas/land-110m.json'
import { gridLines } from './grid-lines.ts'
import { plainText } from './plain-text.ts'
import { type Position, unwrapRing } from './unwrap-ring.ts'

/** Tiles of the operator's server, and whose they are. */
export function addTiles(map: L.Map, url: string, attribution: string | null): void {
  // Many servers answer nobody who does not say where the map is; the page itself would keep it back.
  L.tileLayer(url, { maxNativeZoom: 19, maxZoom: 22, referrerPolicy: 'strict-origin' }).addTo(map)
  if (attribution === null) return
  // It takes nothing but HTML.
  L.control.attribution({ prefix: false }).addAttribution(plainText(attribution).innerHTML).addTo(map)
}

/** Leaflet's own for tiles is 200. */
const BENEATH_TILES = '150'

/** Coasts, which need no internet: beneath the tiles too, whose server may be out of reach. */
export function addOutline(map: L.Map, { line, land: fill }: { line: string; land: string }): void {
  const topology = land as unknown as Parameters<typeof feature>[0]
  const coasts = feature(topology, topology.objects['land']!) as unknown as Coasts
  map.createPane('outline').style.zIndex = BENEATH_TILES
  const style = { color: line, weight: 1, fillColor: fill, fillOpacity: 1, interactive: false, pane: 'outline' }
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

export function addGrid(map: L.Map, colour: string): void {
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
