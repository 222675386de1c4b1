import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useAction } from '../action.ts'
import { ask } from '../ask.ts'
import { Notice } from '../frame/notice.tsx'
import { api } from '../service.ts'
import { type ContactTypeName, readContactForm } from './contact-form.ts'

const types: Readonly<Record<ContactTypeName, string>> = {
  webpush: 'Browsers and phones (web push)',
  email: 'E-mail',
  ntfy: 'ntfy',
  telegram: 'Telegram',
}

/** Registers a contact; which fields it needs depends on its type. */
export function AddContact({ onAdded }: { onAdded: () => Promise<void> }) {
  const form = useRef<HTMLFormElement>(null)
  const type = useSignal<ContactTypeName>('webpush')
  const added = useSignal('')
  const { problem, isBusy, act } = useAction(onAdded)

  async function save(): Promise<void> {
    added.value = ''
    const { alias } = await ask(api.POST('/contact', { body: readContactForm(form.current!) }))
    added.value = `${alias} is registered; name it as an output of an alert.`
    form.current!.reset()
    type.value = 'webpush'
  }

  return (
    <section class="card" aria-labelledby="add-contact">
      <h2 id="add-contact">Add a contact</h2>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void act(save)
        }}
      >
        <label>
          Name
          <input name="alias" required maxLength={200} placeholder="My phone" />
        </label>
        <label>
          By
          <select name="type" onChange={(event) => (type.value = event.currentTarget.value as ContactTypeName)}>
            {Object.entries(types).map(([name, words]) => (
              <option key={name} value={name} selected={name === type.value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <TypeFields type={type.value} />
        <label>
          Quiet from
          <input name="quiet_from" type="time" />
        </label>
        <label>
          Quiet to
          <input name="quiet_to" type="time" />
        </label>
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy.value}>
            Save
          </button>
        </div>
      </form>
      <Notice sentence={problem.value} />
      <Notice sentence={added.value} kind="good" />
    </section>
  )
}

function TypeFields({ type }: { type: ContactTypeName }) {
  switch (type) {
    case 'email':
      return <EmailFields />
    case 'ntfy':
      return (
        <>
          <Field label="Topic" name="topic" required placeholder="aerie-6f2c9d" />
          <Field label="Server" name="server" placeholder="https://ntfy.sh" />
          <Field label="Token" name="token" type="password" />
        </>
      )
    case 'telegram':
      return (
        <>
          <Field label="Token of the bot" name="bot_token" type="password" required />
          <Field label="Number of the chat" name="chat_id" required placeholder="-1001234567890" />
        </>
      )
    case 'webpush':
      return <p class="hint">Once it is saved, press “Add this browser” on each phone and computer.</p>
  }
}

function EmailFields() {
  return (
    <>
      <Field label="To" name="to" required placeholder="guard@example.org" />
      <Field label="From" name="from" required placeholder="aerie@example.org" />
      <Field label="Mail server" name="host" required placeholder="smtp.example.org" />
      <Field label="Port" name="port" required inputMode="numeric" pattern="\d{1,5}" value="465" />
      <label>
        Encryption
        <select name="security">
          <option value="tls">TLS</option>
          <option value="starttls">STARTTLS</option>
          <option value="none">none</option>
        </select>
      </label>
      <Field label="User" name="username" />
      <Field label="Password" name="password" type="password" />
    </>
  )
}

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly type?: 'text' | 'password'
  readonly required?: boolean
  readonly placeholder?: string
  readonly pattern?: string
  readonly inputMode?: 'numeric'
  readonly value?: string
}

/** What is typed into it is for this service alone: no browser keeps it. */
function Field({ label, value, type, ...input }: FieldProps) {
  const given = { ...input, autoComplete: 'off', maxLength: 1024, ...(value !== undefined && { defaultValue: value }) }
  return (
    <label>
      {label}
      {type === 'password' ? <input type="password" {...given} /> : <input {...given} />}
    </label>
  )
}
