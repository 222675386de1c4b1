import { useSignal } from '@preact/signals'
import { type Action } from '../action.ts'
import { ask } from '../ask.ts'
import { api } from '../service.ts'

export interface StartProcessProps {
  readonly sourceId: string
  /** Of the model; empty for the service's default. */
  readonly choice: { readonly model?: string; readonly tiles?: string }
  /** Otherwise the process waits for its video. */
  readonly isNow: boolean
  readonly action: Action
  /** On a machine that is full: what that means. */
  readonly onWarning: (sentence: string) => void
}

/** Starts a process at once, or one that begins by itself when the source goes live. */
export function StartProcess({ sourceId, choice, isNow, action, onWarning }: StartProcessProps) {
  const isAgain = useSignal(false)
  const start = async () => {
    const waiting = { when: 'live', again: isAgain.value ? 'true' : 'false' } as const
    const query = { source_uuid: sourceId, ...choice, ...(!isNow && waiting) }
    const { warning = '' } = await ask(api.POST('/start', { params: { query } }))
    onWarning(warning)
  }
  return (
    <>
      <button type="button" class="primary" aria-disabled={action.isBusy.value} onClick={() => void action.act(start)}>
        {isNow ? 'Start process' : 'Start when it goes live'}
      </button>
      {!isNow && (
        <label class="check">
          <input
            type="checkbox"
            checked={isAgain.value}
            onChange={(event) => (isAgain.value = event.currentTarget.checked)}
          />
          and again each time
        </label>
      )}
    </>
  )
}
