import { ask } from '../ask.ts'
import { EmptyState } from '../frame/empty-state.tsx'
import { Notice } from '../frame/notice.tsx'
import { usePolled } from '../polling.ts'
import { api } from '../service.ts'
import { AddContact } from './add-contact.tsx'
import { ContactCard } from './contact-card.tsx'

const REFRESH_MS = 5_000

/** How people are notified: by which channels, when, and whether it arrives. */
export function ContactsPage() {
  const { data, problem, refresh } = usePolled(() => ask(api.GET('/contacts')), REFRESH_MS)
  return (
    <>
      <h1>Contacts</h1>
      <Notice sentence={problem.value} />
      <div class="forms">
        <AddContact onAdded={refresh} />
      </div>
      {data.value?.length === 0 && (
        <EmptyState title="No contacts yet">
          <p>Add how you are to be notified; then name the contact as an output of an alert.</p>
        </EmptyState>
      )}
      <ul class="sources">
        {data.value?.map((contact) => (
          <ContactCard key={contact.contact_uuid} contact={contact} onChange={refresh} />
        ))}
      </ul>
    </>
  )
}
