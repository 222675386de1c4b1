import { type ProcessInfo } from '@aerie/client'
import { useAction } from '../action.ts'
import { ask } from '../ask.ts'
import { api } from '../service.ts'
import { Notice } from '../frame/notice.tsx'
import { isLive } from './process.ts'

/** Pause, resume, stop. */
export function ProcessActions({ process, onChange }: { process: ProcessInfo; onChange: () => Promise<void> }) {
  const { problem, act } = useAction(onChange)
  const params = { path: { process_uuid: process.process_uuid } }

  const pause = () => ask(api.POST('/process/{process_uuid}/pause', { params }))
  const resume = () => ask(api.POST('/process/{process_uuid}/resume', { params }))
  const stop = () => ask(api.DELETE('/process/{process_uuid}', { params }))

  if (!isLive(process)) return null
  const isPaused = process.state === 'paused'
  const mayPause = isPaused || process.state === 'running'
  return (
    <>
      <div class="actions">
        <button type="button" aria-disabled={!mayPause} onClick={() => mayPause && void act(isPaused ? resume : pause)}>
          {isPaused ? 'Resume' : 'Pause'}
        </button>
        <button type="button" class="danger" onClick={() => void act(stop)}>
          Stop
        </button>
      </div>
      <Notice sentence={problem.value} />
    </>
  )
}
