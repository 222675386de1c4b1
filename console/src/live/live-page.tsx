import { EmptyState } from '../frame/empty-state.tsx'
import { Notice } from '../frame/notice.tsx'
import { StateBadge } from '../frame/state-badge.tsx'
import { usePolled } from '../polling.ts'
import { EndedProcesses } from './ended-processes.tsx'
import { ProcessActions } from './process-actions.tsx'
import { figuresOf, isLarge, loadLive, nameOf, type WatchedProcess } from './process.ts'
import { VideoPane } from './video-pane.tsx'

/** The wall of everything that runs. */
export function LivePage() {
  const { data, problem, refresh } = usePolled(loadLive, 2_000)
  const processes = data.value
  return (
    <>
      <h1>Live</h1>
      <Notice sentence={problem.value} />
      {processes?.length === 0 && (
        <EmptyState title="Nothing is being watched">
          <p>
            A process watches a source with a detector. Choose a source and start one at <a href="#/sources">Sources</a>
            .
          </p>
        </EmptyState>
      )}
      <ul class="wall">
        {processes?.map((watched) => (
          <Tile key={watched.process.process_uuid} watched={watched} onChange={refresh} />
        ))}
      </ul>
      {processes && <EndedProcesses liveIds={processes.map(({ process }) => process.process_uuid).join()} />}
    </>
  )
}

interface TileProps {
  readonly watched: WatchedProcess
  readonly onChange: () => Promise<void>
}

function Tile({ watched, onChange }: TileProps) {
  const { process } = watched
  const name = nameOf(watched)
  return (
    <li class="tile" data-process={process.process_uuid}>
      <VideoPane watched={watched} isPreview={isLarge(watched)} />
      <div class="caption">
        <h2>
          <a href={`#/live/${process.process_uuid}`}>{name}</a>
        </h2>
        <StateBadge state={process.state} />
        <span class="figures">{figuresOf(process) || process.error}</span>
      </div>
      <ProcessActions process={process} name={name} onChange={onChange} />
    </li>
  )
}
