import { type DetectionMessage } from '@aerie/client'
import { isLocated } from './process-layer.ts'

export interface LocatedTracksProps {
  readonly scenes: readonly DetectionMessage[]
  readonly nameOf: (processId: string) => string
}

/** What is on the map, in words and numbers. */
export function LocatedTracks({ scenes, nameOf }: LocatedTracksProps) {
  const rows = scenes.flatMap(({ process_uuid, active_tracks }) =>
    active_tracks.filter(isLocated).map((track) => ({ process_uuid, ...track })),
  )
  if (rows.length === 0) return null
  return (
    <section>
      <h2 id="located">Tracks with a place</h2>
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="located">
        <table class="tracks">
          <thead>
            <tr>
              <th scope="col">Track</th>
              <th scope="col" class="wide-only">
                Seen by
              </th>
              <th scope="col">Latitude</th>
              <th scope="col">Longitude</th>
              <th scope="col">Error</th>
              <th scope="col" class="wide-only">
                Speed
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // Without tracking nobody has an id of its own.
              <tr key={index}>
                <th scope="row">{row.track_id > 0 ? `${row.class_name} ${row.track_id}` : row.class_name}</th>
                <td class="wide-only">{nameOf(row.process_uuid)}</td>
                <td>{row.latitude.toFixed(6)}</td>
                <td>{row.longitude.toFixed(6)}</td>
                <td>{row.position_error_m === undefined ? '–' : `${row.position_error_m.toFixed(1)} m`}</td>
                <td class="wide-only">{row.ground_speed === undefined ? '–' : `${row.ground_speed.toFixed(1)} m/s`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
