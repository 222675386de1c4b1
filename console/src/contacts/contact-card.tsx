import { type ContactRecord } from '@aerie/client'
import { useSignal } from '@preact/signals'
import { useAction } from '../action.ts'
import { ask } from '../ask.ts'
import { focusMain } from '../frame/focus-main.ts'
import { Notice } from '../frame/notice.tsx'
import { api } from '../service.ts'
import { restWords, whoWords } from './contact-words.ts'
import { addThisDevice, whyNoPush } from './push-device.ts'

export interface ContactCardProps {
  readonly contact: ContactRecord
  readonly onChange: () => Promise<void>
}

/** One contact: whom it reaches, whether it does, and what can be done with it. */
export function ContactCard({ contact, onChange }: ContactCardProps) {
  const { problem, isBusy, act } = useAction(onChange)
  const said = useSignal('')
  const { alias, contact_uuid, status, type } = contact
  const params = { path: { contact_uuid } }

  async function test(): Promise<void> {
    said.value = ''
    const answer = await ask(api.POST('/contact/{contact_uuid}/test', { params }))
    if (answer.problem !== null) problem.value = answer.problem
    else said.value = 'A test was sent.'
  }
  async function add(): Promise<void> {
    said.value = ''
    problem.value = whyNoPush()
    if (problem.value) return
    await addThisDevice(contact_uuid).catch((error: Error) => (problem.value = error.message))
    if (!problem.value) said.value = 'This browser is added.'
  }
  async function remove(): Promise<void> {
    await ask(api.DELETE('/contact/{contact_uuid}', { params }))
    // The button goes with the card.
    focusMain({ preventScroll: true })
  }

  return (
    <li class="card" data-contact={contact_uuid}>
      <div class="caption">
        <h2>{alias}</h2>
        <span class="figures">{whoWords(contact)}</span>
      </div>
      <p class="hint">{restWords(contact)}</p>
      {status.held > 0 && <p>{status.held} held back, to be summed up.</p>}
      <div class="actions">
        <button type="button" aria-disabled={isBusy.value} onClick={() => void act(test)}>
          Test
        </button>
        {type === 'webpush' && (
          <button type="button" aria-disabled={isBusy.value} onClick={() => void act(add)}>
            Add this browser
          </button>
        )}
        <button type="button" class="danger" onClick={() => confirm(`Remove ${alias}?`) && void act(remove)}>
          Remove
        </button>
      </div>
      <Notice sentence={problem.value} />
      <Notice sentence={said.value} kind="good" />
      <Notice sentence={status.problem ?? ''} kind="calm" />
    </li>
  )
}
