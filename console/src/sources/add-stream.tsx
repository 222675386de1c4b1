import { type StreamLook } from '@aerie/client'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useAction } from '../action.ts'
import { ask } from '../ask.ts'
import { api } from '../service.ts'
import { Notice } from '../frame/notice.tsx'
import { whoami } from '../session.ts'
import { readStreamForm } from './stream-form.ts'

/** Registers a stream; a look at it first says what is wrong. */
export function AddStream({ onAdded }: { onAdded: () => Promise<void> }) {
  const form = useRef<HTMLFormElement>(null)
  const address = useRef<HTMLInputElement>(null)
  const look = useSignal<StreamLook | undefined>(undefined)
  const { problem, isBusy, act } = useAction()
  const isLooking = useSignal(false)
  const added = useSignal('')
  const rtsp = useSignal({ scheme: 'rtsp', port: 8554 })

  useEffect(() => {
    void ask(api.GET('/console/settings')).then(
      ({ rtsp_scheme, rtsp_port }) => (rtsp.value = { scheme: rtsp_scheme, port: rtsp_port }),
      () => undefined,
    )
  }, [])

  async function lookAtIt(): Promise<void> {
    const { input_url } = readStreamForm(form.current!)
    added.value = ''
    look.value = undefined
    isLooking.value = true
    try {
      look.value = await ask(api.POST('/stream/probe', { body: { input_url } }))
    } finally {
      isLooking.value = false
    }
  }

  async function save(): Promise<void> {
    added.value = ''
    const { alias } = await ask(api.POST('/stream', { body: readStreamForm(form.current!) }))
    added.value = `${alias} is registered.`
    look.value = undefined
    form.current!.reset()
    await onAdded()
  }

  return (
    <section class="card" aria-labelledby="add-stream">
      <h2 id="add-stream">Add a stream</h2>
      <form
        ref={form}
        // What was seen was seen at another address.
        onInput={() => (look.value = undefined)}
        onSubmit={(event) => {
          event.preventDefault()
          void act(save)
        }}
      >
        <label>
          Name
          <input name="alias" required maxLength={200} placeholder="Front gate" />
        </label>
        <label>
          Address
          <input
            ref={address}
            name="input_url"
            required
            pattern=".*\S.*"
            title="An address such as rtsp://host:554/path"
            maxLength={2000}
            inputMode="url"
            placeholder="rtsp://user:password@host:554/path"
          />
        </label>
        <p class="hint">
          A camera’s own address, or one here that you will publish to:{' '}
          <code>
            {rtsp.value.scheme}://{location.hostname}:{rtsp.value.port}/{whoami.value?.username}/front
          </code>
        </p>
        <div class="actions">
          <button
            type="button"
            aria-disabled={isBusy.value}
            // The name can wait until it is saved.
            onClick={() => address.current!.reportValidity() && void act(lookAtIt)}
          >
            {isLooking.value ? 'Looking …' : 'Look at it'}
          </button>
          <button type="submit" class="primary" aria-disabled={isBusy.value}>
            Save
          </button>
        </div>
      </form>
      <Notice sentence={inFormWords(problem.value)} />
      <Notice sentence={added.value} kind="good" />
      {look.value && <LookResult look={look.value} />}
    </section>
  )
}

/** The service speaks of its fields, the form of its labels. */
const inFormWords = (sentence: string) => sentence.replaceAll('input_url', 'address').replaceAll('alias', 'name')

function LookResult({ look }: { look: StreamLook }) {
  return (
    <div role="status" class={`notice ${look.is_readable ? 'good' : 'problem'}`}>
      {look.video && (
        <p>
          {look.video.codec} {look.video.width}×{look.video.height}, {look.video.fps} fps
        </p>
      )}
      {look.problems.length === 0 ? (
        <p>All is well.</p>
      ) : (
        <ul class="problems">
          {look.problems.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
