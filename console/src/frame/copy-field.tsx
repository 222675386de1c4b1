import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'

/** A text that is made to be copied. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const input = useRef<HTMLInputElement>(null)
  const outcome = useSignal('')

  async function copy(): Promise<void> {
    input.current!.select()
    const isCopied = (await isWritten(text)) || document.execCommand('copy')
    outcome.value = isCopied ? 'Copied' : 'Selected; press Ctrl-C'
  }

  return (
    <div class="copy">
      <label>
        {label}
        <input ref={input} readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void copy()} aria-label={`${outcome.value || 'Copy'}: ${label} address`}>
        {outcome.value || 'Copy'}
      </button>
    </div>
  )
}

/** The clipboard is there only over TLS or on this machine, and browsers may refuse it; the old way needs what is selected. */
async function isWritten(text: string): Promise<boolean> {
  // The types promise it everywhere.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return false
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}
