import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'

/** A text that is made to be copied. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const input = useRef<HTMLInputElement>(null)
  const isCopied = useSignal(false)

  async function copy(): Promise<void> {
    input.current!.select()
    // The clipboard is there only over TLS or on this machine; what is selected can be copied by hand.
    await navigator.clipboard?.writeText(text).then(
      () => (isCopied.value = true),
      () => undefined,
    )
  }

  return (
    <div class="copy">
      <label>
        {label}
        <input ref={input} readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void copy()} aria-label={`Copy the ${label} address`}>
        {isCopied.value ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}
