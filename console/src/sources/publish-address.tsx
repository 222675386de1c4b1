import { type IssuedToken } from '@aerie/client'
import { useSignal } from '@preact/signals'
import { useAction } from '../action.ts'
import { ask } from '../ask.ts'
import { api } from '../service.ts'
import { CopyField } from '../frame/copy-field.tsx'
import { Notice } from '../frame/notice.tsx'
import { QrCode } from './qr-code.tsx'

const lives = [
  ['A day', 86_400],
  ['A month', 30 * 86_400],
  ['For ever', 0],
] as const

/** Those of a service with a certificate are encrypted, and may have plain ones beside them. */
const ways = ['rtmp', 'rtsp', 'rtmp_plain', 'rtsp_plain'] as const

/** Makes an address that may publish to this one source and nothing else, for an encoder or a drone's controller. */
export function PublishAddress({ sourceId }: { sourceId: string }) {
  const issued = useSignal<IssuedToken | undefined>(undefined)
  const shown = useSignal<(typeof ways)[number]>('rtmp')
  const { problem, isBusy, act } = useAction()
  const seconds = useSignal(86_400)

  async function issue(): Promise<void> {
    const expiry = seconds.value > 0 ? { expires_in_seconds: seconds.value } : {}
    const params = { path: { source_id: sourceId } }
    issued.value = await ask(api.POST('/source/{source_id}/token', { params, body: { action: 'publish', ...expiry } }))
  }

  return (
    <div class="addresses">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void act(issue)
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
          <button type="submit" class="primary" aria-disabled={isBusy.value}>
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
          {addressesOf(issued.value).map(({ way, url, name }) => (
            <CopyField key={way} label={name} text={url} />
          ))}
          <label>
            As a code for the controller’s camera
            <select
              value={shown.value}
              onChange={(event) => (shown.value = event.currentTarget.value as (typeof ways)[number])}
            >
              {addressesOf(issued.value).map(({ way, name }) => (
                <option key={way} value={way}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {addressesOf(issued.value)
            .filter(({ way }) => way === shown.value)
            .map(({ way, url, name }) => (
              <QrCode key={way} text={url} label={`The ${name} address as a QR code`} />
            ))}
        </>
      )}
    </div>
  )
}

/** Each with its protocol's name: RTMPS, RTSPS, RTMP, RTSP. */
function addressesOf({ urls }: IssuedToken) {
  return ways.flatMap((way) => {
    const url = urls[way]
    return url === undefined ? [] : [{ way, url, name: url.slice(0, url.indexOf(':')).toUpperCase() }]
  })
}

function expiryOf({ expires_at }: IssuedToken): string {
  return expires_at === null ? '' : `It works until ${new Date(expires_at).toLocaleString()}.`
}

/** A drone's controller would look for it in itself. */
function isLoopback(address: string): boolean {
  return /^(localhost|127\.|\[::1\])/.test(address.replace(/^[a-z]+:\/\/(?:[^@/]*@)?/, ''))
}
