import { type ProcessInfo } from '@aerie/client'
import { useAction } from '../action.ts'
import { ask } from '../ask.ts'
import { api } from '../service.ts'
import { focusMain } from '../frame/focus-main.ts'
import { Notice } from '../frame/notice.tsx'
import { isLive } from './process.ts'

export interface ProcessActionsProps {
  readonly process: ProcessInfo
  readonly name: string
  /** Whether the reader may do any of it. */
  readonly isAllowed: boolean
  readonly onChange: () => Promise<void>
}

/** Pause, resume, stop. One that waits for its video does nothing that could be paused. */
export function ProcessActions({ process, name, isAllowed, onChange }: ProcessActionsProps) {
  const { problem, act } = useAction(onChange)
  const params = { path: { process_uuid: process.process_uuid } }

  const pause = () => ask(api.POST('/process/{process_uuid}/pause', { params }))
  const resume = () => ask(api.POST('/process/{process_uuid}/resume', { params }))
  const stop = async () => {
    await ask(api.DELETE('/process/{process_uuid}', { params }))
    // The button goes with the process.
    focusMain({ preventScroll: true })
  }

  if (!isAllowed || !isLive(process)) return null
  const isPaused = process.state === 'paused'
  const mayPause = isPaused || process.state === 'running'
  const toggle = isPaused ? 'Resume' : 'Pause'
  return (
    <>
      <div class="actions">
        {process.state !== 'waiting' && (
          <button
            type="button"
            aria-label={`${toggle} ${name}`}
            aria-disabled={!mayPause}
            onClick={() => mayPause && void act(isPaused ? resume : pause)}
          >
            {toggle}
          </button>
        )}
        <button
          type="button"
          class="danger"
          aria-label={`Stop ${name}`}
          onClick={() => confirm(`Stop ${name}? A process that is stopped cannot go on.`) && void act(stop)}
        >
          Stop
        </button>
      </div>
      <Notice sentence={problem.value} />
    </>
  )
}
