import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type Delivery } from '../core/delivery.ts'
import { type AppEvents } from '../core/events.ts'
import { type Log } from '../observe/log.ts'
import { contactDeviceRoutes, type DeviceRouteDeps } from './contact-devices.routes.ts'
import { type ContactRouteDeps, contactRoutes } from './contacts.routes.ts'
import { type ContactDeps, createContactService } from './contacts.service.ts'
import { type ContactStore } from './contacts.store.ts'
import { createContactSums } from './sums.ts'

export interface ContactsDeps {
  readonly store: ContactStore
  readonly bus: Bus<AppEvents>
  readonly delivery: Pick<Delivery, 'leave'>
  readonly sendTest: ContactDeps['sendTest']
  readonly pushKey: DeviceRouteDeps['pushKey']
  readonly oneOffsNaming: ContactDeps['oneOffsNaming']
  readonly objectionTo: ContactDeps['objectionTo']
  readonly owners: ContactRouteDeps['owners']
  readonly clock: Clock
  readonly log: Log
}

/** Everything about contacts: whom alerts notify, when, and how often. */
export function createContacts({ bus, pushKey, owners, ...deps }: ContactsDeps) {
  const service = createContactService(deps)

  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (purge) await service.removeAllOf(accountId)
  })

  return {
    service,
    routes: [contactRoutes({ contacts: service, owners }), contactDeviceRoutes({ contacts: service, pushKey })],
    jobs: [createContactSums(deps)],
  }
}
