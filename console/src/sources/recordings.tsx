import { type RecordingRecord, type SourceRecord } from '@aerie/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask } from '../ask.ts'
import { api } from '../service.ts'
import { Notice } from '../frame/notice.tsx'
import { usePolled } from '../polling.ts'
import { RecordingPlayer } from './recording-player.tsx'
import { sizeWords } from '../size-words.ts'

/** A day's recording lists 1,440 files: not many, and not often. */
const MAX_RECORDINGS = 20
const REFRESH_MS = 30_000

/** What was kept of a stream: one recording of the latest, in one player. */
export function Recordings({ source }: { source: SourceRecord }) {
  const query = { source_uuid: source.source_uuid, limit: MAX_RECORDINGS }
  const { data, problem, refresh } = usePolled(
    () => ask(api.GET('/sources/recordings', { params: { query } })),
    REFRESH_MS,
  )
  const chosen = useSignal<string | undefined>(undefined)
  const recordings = data.value ?? []
  // The one that is looked at stays when another begins.
  useEffect(() => void (chosen.value ??= data.value?.[0]?.recording_uuid), [data.value])
  const current = recordings.find(({ recording_uuid }) => recording_uuid === chosen.value) ?? recordings[0]
  return (
    <div class="recordings">
      <Notice sentence={problem.value} />
      {data.value?.length === 0 && <p>Nothing has been recorded yet; it begins when the source is published to.</p>}
      {current && (
        <>
          <label>
            {recordings.length < MAX_RECORDINGS ? 'Recording' : `Recording (the latest ${MAX_RECORDINGS})`}
            <select value={current.recording_uuid} onChange={(event) => (chosen.value = event.currentTarget.value)}>
              {recordings.map((recording) => (
                <option key={recording.recording_uuid} value={recording.recording_uuid}>
                  {describe(recording)}
                </option>
              ))}
            </select>
          </label>
          <RecordingPlayer
            key={current.recording_uuid}
            recording={current}
            codec={source.video?.codec}
            onOutrun={refresh}
          />
        </>
      )}
    </div>
  )
}

function describe({ started_at, ended_at, duration_seconds, size_bytes }: RecordingRecord): string {
  const length = ended_at === null ? 'going on' : `${Math.round(duration_seconds)} s`
  return `${new Date(started_at).toLocaleString()} · ${length} · ${sizeWords(size_bytes)}`
}
