import { type ProcessInfo } from '@aerie/client'
import { useAction } from '../action.ts'
import { ask } from '../ask.ts'
import { api } from '../service.ts'
import { Notice } from '../frame/notice.tsx'
import { isLive } from './process.ts'

/** Pause, resume, stop. */
export function ProcessActions({ process, onChange }: { process: ProcessInfo; onChange: () => Promise<void> }) {
  const { isBusy, problem, act } = useAction(onChange)
  const params = { path: { process_uuid: process.process_uuid } }

  if (!isLive(process)) return null
  return (
    <>
      <div class="actions">
        {process.state === 'paused' ? (
          <button
            type="button"
            disabled={isBusy.value}
            onClick={() => void act(() => ask(api.POST('/process/{process_uuid}/resume', { params })))}
          >
            Resume
          </button>
        ) : (
          <button
            type="button"
            disabled={isBusy.value || process.state !== 'running'}
            onClick={() => void act(() => ask(api.POST('/process/{process_uuid}/pause', { params })))}
          >
            Pause
          </button>
        )}
        <button
          type="button"
          class="danger"
          disabled={isBusy.value}
          onClick={() => void act(() => ask(api.DELETE('/process/{process_uuid}', { params })))}
        >
          Stop
        </button>
      </div>
      <Notice sentence={problem.value} />
    </>
  )
}
