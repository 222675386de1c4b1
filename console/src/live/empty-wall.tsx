import { ask } from '../ask.ts'
import { EmptyState } from '../frame/empty-state.tsx'
import { usePolled } from '../polling.ts'
import { isOfOthers, may } from '../rights.ts'
import { api } from '../service.ts'

const REFRESH_MS = 10_000

/** Sources of which the reader may see the video and nothing else: their processes are on no wall. */
async function listWatched() {
  const sources = await ask(api.GET('/sources', { params: { query: { limit: 1000 } } }))
  return sources.filter((source) => isOfOthers(source) && may(source, 'watch') && source.webrtc_url)
}

/** In the place of processes where there are none, or none that the reader is told of. */
export function EmptyWall() {
  const { data } = usePolled(listWatched, REFRESH_MS)
  if (!data.value) return null
  if (data.value.length > 0)
    return (
      <EmptyState title="No processes are shown to you">
        <p>What is seen is for those who may read its events. You may watch:</p>
        <ul>
          {data.value.map(({ source_uuid, alias, webrtc_url }) => (
            <li key={source_uuid}>
              <a href={webrtc_url!}>{alias}</a>
            </li>
          ))}
        </ul>
      </EmptyState>
    )
  return (
    <EmptyState title="Nothing is being watched">
      <p>
        A process watches a source with a detector. Choose a source and start one at <a href="#/sources">Sources</a>.
      </p>
    </EmptyState>
  )
}
