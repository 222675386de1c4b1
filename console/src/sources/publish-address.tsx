import { type IssuedToken } from '@aerie/client'
import { useSignal } from '@preact/signals'
import { ask, sentenceOf } from '../ask.ts'
import { api } from '../service.ts'
import { CopyField } from '../frame/copy-field.tsx'
import { Notice } from '../frame/notice.tsx'
import { QrCode } from './qr-code.tsx'

const lives = [
  ['A day', 86_400],
  ['A month', 30 * 86_400],
  ['For ever', 0],
] as const

/** Makes an address that may publish to this one source and nothing else, for an encoder or a drone's controller. */
export function PublishAddress({ sourceId }: { sourceId: string }) {
  const issued = useSignal<IssuedToken | undefined>(undefined)
  const shown = useSignal<'rtmp' | 'rtsp'>('rtmp')
  const problem = useSignal('')
  const seconds = useSignal(86_400)

  async function issue(): Promise<void> {
    try {
      const expiry = seconds.value > 0 ? { expires_in_seconds: seconds.value } : {}
      const params = { path: { source_id: sourceId } }
      issued.value = await ask(
        api.POST('/source/{source_id}/token', { params, body: { action: 'publish', ...expiry } }),
      )
      problem.value = ''
    } catch (error) {
      problem.value = sentenceOf(error)
    }
  }

  return (
    <div class="addresses">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void issue()
        }}
      >
        <label>
          It works for
          <select value={seconds.value} onChange={(event) => (seconds.value = Number(event.currentTarget.value))}>
            {lives.map(([name, value]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <div class="actions">
          <button type="submit" class="primary">
            Make an address
          </button>
        </div>
      </form>
      <Notice sentence={problem.value} />
      {issued.value && (
        <>
          <p class="hint">It is shown only now, and may only publish to this source. {expiryOf(issued.value)}</p>
          {isLoopback(issued.value.urls.rtsp) && (
            <Notice sentence="These addresses only work on this computer: open the console by the address that it has in your network, or set AERIE_PUBLIC_URL, and make another." />
          )}
          <CopyField label="RTMP" text={issued.value.urls.rtmp} />
          <CopyField label="RTSP" text={issued.value.urls.rtsp} />
          <label>
            As a code for the controller’s camera
            <select
              value={shown.value}
              onChange={(event) => (shown.value = event.currentTarget.value as 'rtmp' | 'rtsp')}
            >
              <option value="rtmp">RTMP</option>
              <option value="rtsp">RTSP</option>
            </select>
          </label>
          <QrCode
            text={issued.value.urls[shown.value]}
            label={`The ${shown.value.toUpperCase()} address as a QR code`}
          />
        </>
      )}
    </div>
  )
}

function expiryOf({ expires_at }: IssuedToken): string {
  return expires_at === null ? '' : `It works until ${new Date(expires_at).toLocaleString()}.`
}

/** A drone's controller would look for it in itself. */
function isLoopback(address: string): boolean {
  return /^(localhost|127\.|\[::1\])/.test(address.replace(/^[a-z]+:\/\/(?:[^@/]*@)?/, ''))
}
