import { SHOWN_MS, type TrackLife } from './track-history.ts'
import { trackColour } from '../../../player/track-colour.js'

const ROW = 22
const GONE_MS = 1_000

/** The tracks of the last minute as bars, and in words. */
export function TrackTimeline({ lives }: { lives: readonly TrackLife[] }) {
  const nowMs = Date.now()
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Tracks of the last minute, since this page was opened</h2>
      {lives.length === 0 ? (
        <p>Nothing has been seen yet.</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Tracks">
          <table class="tracks">
            <thead>
              <tr>
                <th scope="col">Track</th>
                <th scope="col">Seen for</th>
                <th scope="col" class="wide-only">
                  Confidence
                </th>
                <th scope="col" class="wide-only">
                  Distance
                </th>
                <th scope="col" class="wide-only">
                  Speed
                </th>
                <th scope="col" class="bar">
                  −60 s … now
                </th>
              </tr>
            </thead>
            <tbody>
              {lives.map((life) => (
                <Row key={life.trackId} life={life} nowMs={nowMs} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Row({ life, nowMs }: { life: TrackLife; nowMs: number }) {
  const share = (ms: number) => Math.max(0, 100 - ((nowMs - ms) / SHOWN_MS) * 100)
  const left = share(life.firstMs)
  const isHere = nowMs - life.lastMs < GONE_MS
  return (
    <tr class={isHere ? '' : 'gone'}>
      <th scope="row">
        {life.className} {life.trackId}
      </th>
      <td>{Math.round((life.lastMs - life.firstMs) / 1000)} s</td>
      <td class="wide-only">{Math.round(life.confidence)} %</td>
      <td class="wide-only">{life.distanceM === undefined ? '–' : `${life.distanceM.toFixed(0)} m`}</td>
      <td class="wide-only">{life.speedMps === undefined ? '–' : `${life.speedMps.toFixed(1)} m/s`}</td>
      <td class="bar">
        <svg viewBox={`0 0 100 ${ROW}`} preserveAspectRatio="none" aria-hidden="true">
          <rect
            x={left}
            y="4"
            width={Math.max(0.5, share(life.lastMs) - left)}
            height={ROW - 8}
            fill={trackColour(life.trackId)}
          />
        </svg>
      </td>
    </tr>
  )
}
