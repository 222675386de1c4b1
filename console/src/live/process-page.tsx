import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Notice } from '../frame/notice.tsx'
import { StateBadge } from '../frame/state-badge.tsx'
import { usePolled } from '../polling.ts'
import { may, NOT_WATCHED } from '../rights.ts'
import { listen } from './detection-events.ts'
import { endOf } from './end-words.ts'
import { FiguresChart } from './figures-chart.tsx'
import { ProcessActions } from './process-actions.tsx'
import { figuresOf, isLive, loadOne, nameOf } from './process.ts'
import { useStatusRefresh } from './status-refresh.ts'
import { createTrackHistory, type TrackLife } from './track-history.ts'
import { TrackTimeline } from './track-timeline.tsx'
import { VideoPane } from './video-pane.tsx'
import { WaitingPane } from './waiting-pane.tsx'

/** One process, large, with what it has seen in the last minute. */
export function ProcessPage({ processId }: { processId: string }) {
  const { data, problem, refresh } = usePolled(() => loadOne(processId), 2_000)
  const lives = useSignal<readonly TrackLife[]>([])
  const watched = data.value
  const name = watched && nameOf(watched)
  const isOn = watched !== undefined && isLive(watched.process)
  const isWaiting = watched?.process.state === 'waiting'
  const onStatus = useStatusRefresh(refresh)
  const shown = useRef(watched)
  shown.current = watched

  useEffect(() => {
    if (!isOn) return
    const history = createTrackHistory()
    const leave = listen(processId, {
      onScene: (scene) => history.add(scene, Date.now()),
      onStatus: (status) => onStatus(status, shown.current!.process),
    })
    const timer = setInterval(() => (lives.value = history.list(Date.now())), 500)
    return () => {
      leave()
      clearInterval(timer)
    }
  }, [isOn])

  useEffect(() => {
    if (name) document.title = `${name} – Live – Aerie`
  }, [name])

  const back = (
    <p>
      <a href="#/live">← All processes</a>
    </p>
  )
  if (!watched || !name)
    return (
      <>
        {back}
        <Notice sentence={problem.value} />
      </>
    )
  const { process, source } = watched
  const video = may(source, 'watch') ? <VideoPane watched={watched} /> : <p class="hint">{NOT_WATCHED}</p>
  return (
    <>
      {back}
      <div class="caption">
        <h1>{name}</h1>
        <StateBadge state={process.state} />
        <span class="figures">{figuresOf(process)}</span>
      </div>
      <Notice sentence={problem.value || (isOn ? '' : (process.error ?? ''))} />
      <Notice sentence={isOn ? (process.problem ?? '') : ''} kind="calm" />
      <ProcessActions process={process} name={name} isAllowed={may(source, 'control')} onChange={refresh} />
      {isOn ? (
        <div class="single">{isWaiting ? <WaitingPane process={process} /> : video}</div>
      ) : (
        <p>
          It has ended ({endOf(process)}). Start another at <a href="#/sources">Sources</a>.
        </p>
      )}
      {isOn && !isWaiting && (
        <>
          <TrackTimeline lives={lives.value} />
          <FiguresChart process={process} />
        </>
      )}
    </>
  )
}
