import { type DetectionMessage, type ProcessInfo } from '@aerie/client'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import 'leaflet/dist/leaflet.css'
import { ask } from '../ask.ts'
import { api } from '../service.ts'
import { EmptyState } from '../frame/empty-state.tsx'
import { Notice } from '../frame/notice.tsx'
import { listen } from '../live/detection-events.ts'
import { loadLive, nameOf, type WatchedProcess } from '../live/process.ts'
import { useStatusRefresh } from '../live/status-refresh.ts'
import { usePolled } from '../polling.ts'
import '../styles/map.css'
import { LocatedTracks } from './located-tracks.tsx'
import { findPlace, type Heard, keepPlacesOf, rememberPlace } from './last-places.ts'
import { createMapView, type MapView } from './map-view.ts'

/** Drawing more often would be work that nobody sees. */
const DRAW_MS = 200
/** What a process saw that is silent for longer, as when it is paused, is no longer where it was. */
const SILENT_MS = 5_000

interface Shown {
  readonly process: ProcessInfo
  readonly name: string
  readonly telemetryAgeMs: number | null
}

const toShown = (watched: WatchedProcess): Shown => ({
  process: watched.process,
  name: nameOf(watched),
  telemetryAgeMs: watched.process.telemetry?.age_ms ?? null,
})

/** Cameras and what they see, on the ground. */
export function MapPage() {
  const { data, problem, refresh } = usePolled(loadLive, 3_000)
  const onStatus = useStatusRefresh(refresh)
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<MapView>(undefined)
  const newest = useRef(new Map<string, Heard>())
  const scenes = useSignal<readonly DetectionMessage[]>([])
  const latest = useRef<ReadonlyMap<string, Shown>>(new Map())
  latest.current = new Map(data.value?.map((watched) => [watched.process.process_uuid, toShown(watched)]))
  const ids = [...latest.current.keys()].sort().join(',')
  /** Those that have said where they are since this map was opened, or one before it: where they were last, stays. */
  const placed = useRef(new Set<string>())

  useEffect(() => {
    let isGone = false
    void ask(api.GET('/console/settings'))
      .catch(() => ({ map_tiles_url: null, map_tiles_attribution: null }))
      .then(({ map_tiles_url, map_tiles_attribution }) => {
        if (!isGone) view.current = createMapView(host.current!, map_tiles_url, map_tiles_attribution)
      })
    const timer = setInterval(() => {
      for (const [id, { heardAtMs }] of newest.current) {
        if (Date.now() - heardAtMs <= SILENT_MS) continue
        newest.current.delete(id)
        view.current?.clearTracks(id)
      }
      for (const [id, { name }] of view.current ? latest.current : []) {
        const place = placed.current.has(id) ? undefined : findPlace(id)
        const heard = newest.current.get(id)
        if (heard) rememberPlace(heard)
        // The place first: what goes on to be seen may not say any more where that is.
        for (const one of [place, heard]) {
          if (one?.scene.camera) placed.current.add(id)
          if (one) view.current!.show(one, name)
        }
      }
      const shown = [...newest.current.values()].map(({ scene }) => scene)
      view.current?.keepOnly(latest.current)
      if (shown.length !== scenes.value.length || shown.some((scene, index) => scene !== scenes.value[index]))
        scenes.value = shown
    }, DRAW_MS)
    return () => {
      isGone = true
      clearInterval(timer)
      view.current?.close()
    }
  }, [])

  useEffect(() => {
    if (data.value === undefined) return
    keepPlacesOf(latest.current)
    const wanted = ids ? ids.split(',') : []
    for (const id of newest.current.keys()) if (!wanted.includes(id)) newest.current.delete(id)
    const leaving = wanted.map((id) =>
      listen(id, {
        onScene: (scene) => void newest.current.set(id, { scene, heardAtMs: Date.now() }),
        onStatus: (status) => onStatus(status, latest.current.get(id)!.process),
      }),
    )
    return () => {
      for (const leave of leaving) leave()
    }
  }, [ids, data.value === undefined])

  const hasCamera = [...latest.current.keys()].some((id) => placed.current.has(id) || findPlace(id))
  return (
    <>
      <h1>Map</h1>
      <Notice sentence={problem.value} />
      <div class="actions">
        <button type="button" onClick={() => view.current?.fit()}>
          Show everything
        </button>
      </div>
      <div ref={host} class="map" role="application" aria-label="Map of cameras and tracks" />
      <ul class="legend">
        <li>Filled area: what a camera sees of the ground</li>
        <li>Circle around a track: its error, one standard deviation</li>
        <li>Grey: where a camera was last, and how long ago</li>
      </ul>
      {data.value !== undefined && !hasCamera && (
        <EmptyState title="No camera tells where it is">
          <p>
            {data.value.length === 0
              ? 'Nothing is being watched. Start a process on a source with telemetry at '
              : 'The sources that are being watched have no telemetry with a whole pose now; register one with a telemetry_cfg, see '}
            <a href={data.value.length === 0 ? '#/sources' : 'docs'}>
              {data.value.length === 0 ? 'Sources' : 'the API'}
            </a>
            .
          </p>
        </EmptyState>
      )}
      <LocatedTracks scenes={scenes.value} nameOf={(id) => latest.current.get(id)?.name ?? ''} />
    </>
  )
}
