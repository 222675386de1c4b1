import { createGeoTiffTerrain } from './geotiff-terrain.ts'
import { createSrtmTerrain } from './srtm-terrain.ts'
import { type Terrain } from './terrain.ts'

/** Whatever a folder says of the ground: GeoTIFF first, since people who bring it mean it to be finer. */
export function openTerrainFolder(folder: string, onBadTile: (sentence: string) => void): Terrain {
  const tiffs = createGeoTiffTerrain(folder, onBadTile)
  const tiles = createSrtmTerrain(folder, onBadTile)
  return {
    groundHeightM: (latitudeDeg, longitudeDeg) =>
      tiffs.groundHeightM(latitudeDeg, longitudeDeg) ?? tiles.groundHeightM(latitudeDeg, longitudeDeg),
  }
}
