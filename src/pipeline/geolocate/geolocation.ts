import { type SceneTrack } from '../../core/scene.ts'
import { type Telemetry, type TelemetrySample } from '../../core/telemetry.ts'
import { type GeolocationOrder } from '../messages.ts'
import { createGeolocator, type LocatedFrame, type LocatedScene } from './geolocator.ts'
import { createGeoTiffTerrain } from './geotiff-terrain.ts'
import { createSrtmTerrain } from './srtm-terrain.ts'
import { createTelemetryBuffer, fixedTelemetry, type TelemetryBuffer } from './telemetry-buffer.ts'
import { type Terrain } from './terrain.ts'

/** Where on Earth the tracks of a process are, by the telemetry that it gets. */
export interface Geolocation {
  addTelemetry(sample: TelemetrySample): void
  /** What is known of the camera at a moment. */
  telemetryAt(timeMs: number): Telemetry | undefined
  locate(tracks: readonly SceneTrack[], frame: LocatedFrame): LocatedScene
}

export function createGeolocation(
  { telemetry, fieldsOfView, sizes, terrainDir }: GeolocationOrder,
  onWarning: (sentence: string) => void,
): Geolocation {
  const geolocator = createGeolocator({
    ...(sizes && { sizes }),
    ...(terrainDir !== undefined && { terrain: openTerrainFolder(terrainDir, onWarning) }),
  })
  const buffer: TelemetryBuffer =
    telemetry.kind === 'fixed'
      ? { add: () => {}, at: fixedTelemetry(telemetry.values) }
      : createTelemetryBuffer(telemetry)
  if (fieldsOfView) buffer.add(fieldsOfView)
  return {
    addTelemetry: (sample) => buffer.add(sample),
    telemetryAt: (timeMs) => buffer.at(timeMs)?.values,
    locate: (tracks, frame) => geolocator.locate(tracks, frame, buffer.at(frame.takenAtMs)),
  }
}

/** Whatever a folder says of the ground: GeoTIFF first, since people who bring it mean it to be finer. */
function openTerrainFolder(folder: string, onBadTile: (sentence: string) => void): Terrain {
  const tiffs = createGeoTiffTerrain(folder, onBadTile)
  const tiles = createSrtmTerrain(folder, onBadTile)
  return {
    groundHeightM: (latitudeDeg, longitudeDeg) =>
      tiffs.groundHeightM(latitudeDeg, longitudeDeg) ?? tiles.groundHeightM(latitudeDeg, longitudeDeg),
  }
}
