import { type ProcessInfo, type SourceRecord } from '@aerie/client'
import { ask } from '../ask.ts'
import { api } from '../service.ts'
import { EmptyState } from '../frame/empty-state.tsx'
import { Notice } from '../frame/notice.tsx'
import { listLive } from '../live/process.ts'
import { usePolled } from '../polling.ts'
import { AddStream } from './add-stream.tsx'
import { SourceCard } from './source-card.tsx'
import { UploadVideo } from './upload-video.tsx'

interface Loaded {
  readonly sources: readonly SourceRecord[]
  readonly processes: readonly ProcessInfo[]
}

async function load(): Promise<Loaded> {
  const [sources, processes] = await Promise.all([
    ask(api.GET('/sources', { params: { query: { limit: 1000 } } })),
    listLive(),
  ])
  return { sources, processes }
}

/** Where video comes from: registered, uploaded, published to; with what was recorded of it. */
export function SourcesPage() {
  const { data, problem, refresh } = usePolled(load, 3_000)
  const loaded = data.value
  return (
    <>
      <h1>Sources</h1>
      <Notice sentence={problem.value} />
      <div class="forms">
        <AddStream onAdded={refresh} />
        <UploadVideo onAdded={refresh} />
      </div>
      {loaded?.sources.length === 0 && (
        <EmptyState title="No sources yet">
          <p>Add the address of a camera or a drone, or upload a video; then start a process on it.</p>
        </EmptyState>
      )}
      <ul class="sources">
        {loaded?.sources.map((source) => (
          <SourceCard
            key={source.source_uuid}
            source={source}
            process={loaded.processes.find(({ source_uuid }) => source_uuid === source.source_uuid)}
            onChange={refresh}
          />
        ))}
      </ul>
    </>
  )
}
