import { type StreamLook } from '@aerie/client'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ask, sentenceOf } from '../ask.ts'
import { api } from '../service.ts'
import { Notice } from '../frame/notice.tsx'
import { whoami } from '../session.ts'
import { readStreamForm } from './stream-form.ts'

/** Registers a stream; a look at it first says what is wrong. */
export function AddStream({ onAdded }: { onAdded: () => Promise<void> }) {
  const form = useRef<HTMLFormElement>(null)
  const address = useRef<HTMLInputElement>(null)
  const look = useSignal<StreamLook | undefined>(undefined)
  const problem = useSignal('')
  const added = useSignal('')
  const rtspPort = useSignal(8554)
  const busy = useSignal<'look' | 'save' | undefined>(undefined)

  useEffect(() => {
    void ask(api.GET('/console/settings')).then(
      ({ rtsp_port }) => (rtspPort.value = rtsp_port),
      () => undefined,
    )
  }, [])

  async function act(what: 'look' | 'save', action: () => Promise<void>): Promise<void> {
    busy.value = what
    problem.value = ''
    added.value = ''
    try {
      await action()
    } catch (error) {
      problem.value = sentenceOf(error).replaceAll('input_url', 'address').replaceAll('alias', 'name')
    } finally {
      busy.value = undefined
    }
  }

  const lookAtIt = () => {
    // The name can wait until it is saved.
    if (!address.current!.reportValidity()) return
    return act('look', async () => {
      const { input_url } = readStreamForm(form.current!)
      look.value = undefined
      look.value = await ask(api.POST('/stream/probe', { body: { input_url } }))
    })
  }

  const save = () =>
    act('save', async () => {
      const { alias } = await ask(api.POST('/stream', { body: readStreamForm(form.current!) }))
      added.value = `${alias} is registered.`
      look.value = undefined
      form.current!.reset()
      await onAdded()
    })

  return (
    <section class="card" aria-labelledby="add-stream">
      <h2 id="add-stream">Add a stream</h2>
      <form
        ref={form}
        // What was seen was seen at another address.
        onInput={() => (look.value = undefined)}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
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
            rtsp://{location.hostname}:{rtspPort.value}/{whoami.value?.username}/front
          </code>
        </p>
        <div class="actions">
          <button type="button" disabled={busy.value !== undefined} onClick={() => void lookAtIt()}>
            {busy.value === 'look' ? 'Looking …' : 'Look at it'}
          </button>
          <button type="submit" class="primary" disabled={busy.value !== undefined}>
            Save
          </button>
        </div>
      </form>
      <Notice sentence={problem.value} />
      <Notice sentence={added.value} kind="good" />
      {look.value && <LookResult look={look.value} />}
    </section>
  )
}

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
