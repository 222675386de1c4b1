import { type ProcessInfo } from '@aerie/client'
import { useSignal } from '@preact/signals'
import { api, ask, sentenceOf } from '../api.ts'
import { Notice } from '../frame/notice.tsx'
import { isLive } from './process.ts'

/** Pause, resume, stop. */
export function ProcessActions({ process, onChange }: { process: ProcessInfo; onChange: () => Promise<void> }) {
  const problem = useSignal('')
  const isBusy = useSignal(false)
  const params = { path: { process_uuid: process.process_uuid } }

  async function act(action: () => Promise<unknown>): Promise<void> {
    isBusy.value = true
    problem.value = ''
    try {
      await action()
      await onChange()
    } catch (error) {
      problem.value = sentenceOf(error)
    } finally {
      isBusy.value = false
    }
  }

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
