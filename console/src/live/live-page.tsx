import { type ProcessInfo } from '@aerie/client'
import { useEffect, useRef } from 'preact/hooks'
import { Notice } from '../frame/notice.tsx'
import { StateBadge } from '../frame/state-badge.tsx'
import { usePolled } from '../polling.ts'
import { may, NOT_WATCHED } from '../rights.ts'
import { listen } from './detection-events.ts'
import { EmptyWall } from './empty-wall.tsx'
import { EndedProcesses } from './ended-processes.tsx'
import { useInView } from './in-view.ts'
import { ProcessActions } from './process-actions.tsx'
import { figuresOf, isLarge, loadLive, nameOf, type WatchedProcess } from './process.ts'
import { type StatusMessage } from './status-message.ts'
import { useStatusRefresh } from './status-refresh.ts'
import { VideoPane } from './video-pane.tsx'
import { WaitingPane } from './waiting-pane.tsx'

/** The wall of everything that runs. */
export function LivePage() {
  const { data, problem, refresh } = usePolled(loadLive, 2_000)
  const onStatus = useStatusRefresh(refresh)
  const processes = data.value
  return (
    <>
      <h1>Live</h1>
      <Notice sentence={problem.value} />
      {processes?.length === 0 && <EmptyWall />}
      <ul class="wall">
        {processes?.map((watched) => (
          <Tile key={watched.process.process_uuid} watched={watched} onChange={refresh} onStatus={onStatus} />
        ))}
      </ul>
      {processes && <EndedProcesses liveIds={processes.map(({ process }) => process.process_uuid).join()} />}
    </>
  )
}

interface TileProps {
  readonly watched: WatchedProcess
  readonly onChange: () => Promise<void>
  readonly onStatus: (status: StatusMessage, shown: ProcessInfo) => void
}

function Tile({ watched, onChange, onStatus }: TileProps) {
  const { process, source } = watched
  const { process_uuid: processId } = process
  const name = nameOf(watched)
  const tile = useRef<HTMLLIElement>(null)
  const isInView = useInView(tile)
  const shown = useRef(process)
  shown.current = process
  useEffect(() => {
    if (isInView.value) return listen(processId, { onStatus: (status) => onStatus(status, shown.current) })
  }, [processId, isInView.value])
  return (
    <li ref={tile} class="tile" data-process={processId}>
      {process.state === 'waiting' ? (
        <WaitingPane process={process} />
      ) : may(source, 'watch') ? (
        <VideoPane watched={watched} isPreview={isLarge(watched)} />
      ) : (
        <p class="hint">{NOT_WATCHED}</p>
      )}
      <div class="caption">
        <h2>
          <a href={`#/live/${processId}`}>{name}</a>
        </h2>
        <StateBadge state={process.state} />
        <span class="figures">{figuresOf(process)}</span>
      </div>
      <Notice sentence={process.problem ?? ''} kind="calm" />
      <ProcessActions process={process} name={name} isAllowed={may(source, 'control')} onChange={onChange} />
    </li>
  )
}
