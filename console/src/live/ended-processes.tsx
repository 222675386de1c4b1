import { useEffect, useRef } from 'preact/hooks'
import { usePolled } from '../polling.ts'
import { endOf } from './end-words.ts'
import { loadEnded, nameOf } from './process.ts'

const REFRESH_MS = 10_000

/** What became of those that are no longer on the wall; nothing while there are none. */
export function EndedProcesses({ liveIds }: { liveIds: string }) {
  const { data, refresh } = usePolled(loadEnded, REFRESH_MS)
  const seenIds = useRef(liveIds)
  // A process that leaves the wall is found here at once.
  useEffect(() => {
    if (seenIds.current !== liveIds) void refresh()
    seenIds.current = liveIds
  }, [liveIds])
  if (!data.value?.length) return null
  return (
    <section aria-labelledby="ended">
      <h2 id="ended">Ended lately</h2>
      <ul class="ended">
        {data.value.map((watched) => (
          <li key={watched.process.process_uuid}>
            <a href={`#/live/${watched.process.process_uuid}`}>{nameOf(watched)}</a> {endOf(watched.process)}{' '}
            <time class="figures" dateTime={watched.process.stopped_at!}>
              {new Date(watched.process.stopped_at!).toLocaleString()}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}
