import { type RecordingRecord } from '@aerie/client'
import { useSignal } from '@preact/signals'
import { ask } from '../ask.ts'
import { api, root } from '../service.ts'
import { Notice } from '../frame/notice.tsx'
import { usePolled } from '../polling.ts'

/** What was kept of a stream, with a player. */
export function Recordings({ sourceId }: { sourceId: string }) {
  const load = () => ask(api.GET('/sources/recordings', { params: { query: { source_uuid: sourceId, limit: 50 } } }))
  const { data, problem } = usePolled(load, 5_000)
  return (
    <>
      <Notice sentence={problem.value} />
      {data.value?.length === 0 && <p>Nothing has been recorded yet; it begins when the source is published to.</p>}
      <ul class="recordings">
        {data.value?.map((recording) => (
          <Recording key={recording.recording_uuid} recording={recording} />
        ))}
      </ul>
    </>
  )
}

type Segment = RecordingRecord['segments'][number]

function Recording({ recording }: { recording: RecordingRecord }) {
  const playing = useSignal<string | undefined>(undefined)
  const time = (text: string) => new Date(text).toLocaleString()

  /** The next file follows by itself. Links are made anew with every list, so a file is known by its start. */
  function playNext(segment: Segment): void {
    const at = recording.segments.findIndex(({ start }) => start === segment.start)
    playing.value = recording.segments.slice(at + 1).find(isPlayable)?.start
  }

  const current = recording.segments.find(({ start }) => start === playing.value)
  return (
    <li>
      <strong>{time(recording.started_at)}</strong>{' '}
      <span class="figures">
        {Math.round(recording.duration_seconds)} s · {(recording.size_bytes / 1e6).toFixed(1)} MB
        {recording.ended_at === null ? ' · going on' : ''}
      </span>
      <div class="actions">
        {recording.segments.filter(isPlayable).map((segment) => (
          <button
            key={segment.start}
            type="button"
            aria-pressed={segment.start === playing.value}
            onClick={() => (playing.value = segment.start)}
          >
            ▶ {new Date(segment.start).toLocaleTimeString()}
          </button>
        ))}
      </div>
      {current && <Player key={current.start} segment={current} onEnded={() => playNext(current)} />}
    </li>
  )
}

/** Keeps its first address: a new one with every list would start the video over. */
function Player({ segment, onEnded }: { segment: Segment; onEnded: () => void }) {
  const address = useSignal(fromHere(segment.download_url))
  return (
    <video
      src={address.value}
      controls
      autoplay
      muted
      playsInline
      onEnded={onEnded}
      aria-label={`Recording from ${segment.start}`}
    />
  )
}

/** By the address at which this page is, which may be another than the public one: the page's policy lets no other in. */
const fromHere = (address: string) => root + address.slice(address.indexOf('/sources/recordings/'))

/** A file that is still being written grows under the player. */
const isPlayable = ({ duration_seconds }: Segment) => duration_seconds !== null
