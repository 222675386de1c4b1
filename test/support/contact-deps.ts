import { createContactStore } from '../../src/contacts/contacts.store.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type SendersDeps } from '../../src/delivery/senders.ts'
import { createVapid } from '../../src/delivery/web-push/vapid.ts'
import { type Db } from '../../src/storage/database.ts'

/** What the delivery needs to send to contacts, for rigs whose alerts have no pictures. */
export function contactDeps(db: Db): Pick<SendersDeps, 'contacts' | 'pictures' | 'vapid'> {
  return {
    contacts: createContactStore(db, systemClock),
    pictures: { read: async () => undefined },
    vapid: createVapid('a secret', () => 'mailto:admin@localhost'),
  }
}
