import L from 'leaflet'
import { addGrid, addOutline, addTiles } from './base-layer.ts'
import { type Heard } from './last-places.ts'
import { createProcessLayer, type ProcessLayer } from './process-layer.ts'

export interface MapView {
  /** The newest that a process saw. */
  show(heard: Heard, name: string): void
  /** What they saw last is gone, but for where their cameras were. */
  clearTracks(processId: string): void
  /** Of processes that are not among these everything goes; those that say no more where they are grow old. */
  keepOnly(processes: ReadonlyMap<string, { readonly telemetryAgeMs: number | null }>): void
  /** Moves to where everything is in view. */
  fit(): void
  close(): void
}

/**
 * Leaflet forgets timers of a zoom or a resize when it is removed, and they would fall over what is gone. A window that is resized
 * while it waits to be removed starts one more, which nobody listens to then.
 */
const LAST_TIMER_MS = 500

/** The map itself, which knows nothing of the page around it. */
export function createMapView(
  host: HTMLElement,
  tilesUrl: string | null,
  tilesAttribution: string | null = null,
): MapView {
  const colour = (name: string) => getComputedStyle(host).getPropertyValue(name).trim()
  const map = L.map(host, { maxZoom: 22, minZoom: 1, worldCopyJump: true, attributionControl: false, zoomSnap: 0.5 })
  L.control.scale({ imperial: false }).addTo(map)
  addOutline(map, { line: colour('--line'), land: colour('--page') })
  if (tilesUrl !== null) addTiles(map, tilesUrl, tilesAttribution)
  addGrid(map, colour('--line'))
  map.setView([25, 0], 1.5)
  const layers = new Map<string, ProcessLayer>()
  let hasFitted = false

  function fit(how: 'all' | 'close'): void {
    const all = [...layers.values()].flatMap((layer) => layer.bounds(how) ?? [])
    const [first, ...others] = all
    if (!first) return
    const bounds = others.reduce(
      (sum, one) => sum.extend(one),
      L.latLngBounds(first.getSouthWest(), first.getNorthEast()),
    )
    map.fitBounds(bounds, { padding: [70, 50], maxZoom: 21, animate: false })
    hasFitted = true
  }

  return {
    show({ scene, heardAtMs }, name) {
      const id = scene.process_uuid
      const layer =
        layers.get(id) ?? createProcessLayer(map, name, { accent: colour('--accent'), stale: colour('--stale') })
      layers.set(id, layer)
      layer.draw(scene, heardAtMs)
      // What a camera sees may be large beside those in it, who are what one looks for first.
      if (!hasFitted) fit('close')
    },
    clearTracks: (processId) => layers.get(processId)?.clearTracks(),
    keepOnly(processes) {
      for (const [id, layer] of layers) {
        const kept = processes.get(id)
        if (kept) {
          layer.age(kept.telemetryAgeMs)
          continue
        }
        layer.remove()
        layers.delete(id)
      }
    },
    fit: () => fit('all'),
    close: () => void setTimeout(() => map.remove().off(), LAST_TIMER_MS),
  }
}
