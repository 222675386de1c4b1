import { type Account } from '../core/account.ts'
import { checkHosts, type ObjectionTo } from '../core/check-hosts.ts'
import { checkInput } from '../core/check-input.ts'
import { type Clock } from '../core/clock.ts'
import { type ContactChannel, type SentOutcome } from '../core/contact.ts'
import { AppError } from '../core/errors.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { inputInvalid } from '../core/refusals.ts'
import { asSentence, shortSentence } from '../core/sentences.ts'
import { type Log } from '../observe/log.ts'
import { type ListedContact, MAX_CONTACTS, MAX_DEVICES, type NamedDevice } from './contact.ts'
import { type ContactChange, type NewContact, type NewDevice, toQuietHours } from './contacts.schema.ts'
import { type ContactStore } from './contacts.store.ts'
import { hostOfUrl } from './kinds/fields.ts'
import { kindOf, maskErrors, withKeptSecrets } from './kinds/kinds.ts'
import { createTestLimits } from './test-limits.ts'

export interface ContactDeps {
  readonly store: ContactStore
  readonly objectionTo: ObjectionTo
  /** Now, past quiet hours and cap; rejects with a sentence where it did not arrive, and resolves with one on those of several who do not have it. */
  readonly sendTest: (contact: ListedContact) => Promise<string | null>
  /** The aliases of alerts that notify it and are kept nowhere. */
  readonly oneOffsNaming: (accountId: string, contactId: string) => Promise<readonly string[]>
  readonly log: Log
  readonly clock: Pick<Clock, 'now' | 'steady'>
}

export type ContactService = ReturnType<typeof createContactService>

export function createContactService({ store, objectionTo, sendTest, oneOffsNaming, clock, log }: ContactDeps) {
  const testLimits = createTestLimits(clock)

  async function find(account: Pick<Account, 'id'>, contactId: string): Promise<ListedContact> {
    const contact = await store.findOf(account.id, contactId)
    if (!contact) throw notFound(contactId)
    return contact
  }

  async function checkHost(account: Account, { type, config }: ContactChannel): Promise<void> {
    const host = kindOf({ type }).hostOf(fieldsOf(config))
    if (host) await checkHosts(objectionTo, account, [{ ...host, path: `body.config.${host.path}` }])
  }

  return {
    find,
    list: (account: Account, page: PageRequest): Promise<Page<ListedContact>> => store.list(account.id, page),

    async create(account: Account, body: NewContact): Promise<ListedContact> {
      const { alias, quiet_hours, max_per_minute: maxPerMinute, ...channel } = body
      checkMasks(channel)
      await checkHost(account, channel)
      const contact: ListedContact = {
        id: orderedUuid(),
        accountId: account.id,
        alias,
        ...channel,
        quietHours: toQuietHours(quiet_hours),
        maxPerMinute,
        devices: [],
        createdAt: clock.now(),
        heldCount: 0,
        lastSentAt: null,
        problem: null,
      }
      const isInserted = await store.insertWithinLimit(account, contact, MAX_CONTACTS)
      if (!isInserted) throw new AppError('contact-limit-reached', { limit: MAX_CONTACTS })
      return contact
    },

    async change(account: Account, contactId: string, change: ContactChange): Promise<ListedContact> {
      if (change.config) await checkHost(account, withChange(await find(account, contactId), change))
      const changed = await store.change(account.id, contactId, (contact) => withChange(contact, change))
      if (!changed) throw notFound(contactId)
      return changed
    },

    async remove(account: Account, contactId: string): Promise<void> {
      const oneOffs = await oneOffsNaming(account.id, contactId)
      if (oneOffs.length > 0) throw inUse(oneOffs)
      const outcome = await store.remove(account.id, contactId)
      if (outcome === true) return
      if (outcome === false) throw notFound(contactId)
      throw inUse(outcome)
    },

    async test(account: Account, contactId: string): Promise<SentOutcome> {
      const contact = await find(account, contactId)
      return testLimits.run(account.id, async () => {
        try {
          const problem = await sendTest(contact)
          return { hasArrived: true, problem: problem && shortSentence(problem) }
        } catch (error) {
          log.debug({ err: error, contact_uuid: contactId }, 'a test of a contact did not arrive')
          return { hasArrived: false, problem: shortSentence(asSentence((error as Error).message)) }
        }
      })
    },

    async addDevice(account: Account, contactId: string, { name, endpoint, keys }: NewDevice): Promise<NamedDevice> {
      const { type } = await find(account, contactId)
      if (type !== 'webpush')
        throw inputInvalid([
          { path: 'params.contact_uuid', message: `is a contact by ${type}; browsers are for those by webpush` },
        ])
      const { hostname, port } = hostOfUrl('endpoint', endpoint)
      await checkHosts(objectionTo, account, [{ path: 'body.endpoint', hostname, port }])
      const device = { id: orderedUuid(), name, endpoint, keys, createdAt: clock.now() }
      const added = await store.insertDeviceWithinLimit(contactId, device, MAX_DEVICES)
      if (!added) throw new AppError('device-limit-reached', { limit: MAX_DEVICES })
      return added
    },

    /** One that is gone already is what was asked for. */
    async removeDevice(account: Account, contactId: string, deviceId: string): Promise<void> {
      await find(account, contactId)
      await store.removeDeviceOf(contactId, deviceId)
    },

    removeAllOf: (accountId: string): Promise<void> => store.removeAllOf(accountId),
  }
}

const fieldsOf = (config: ContactChannel['config']) => config as object as Record<string, unknown>
const inUse = (aliases: readonly string[]) => new AppError('contact-in-use', { aliases: aliases.join(', ') })
const notFound = (contactId: string) => new AppError('contact-not-found', { contact_uuid: contactId })

function withChange(contact: ListedContact, { alias, config, quiet_hours, max_per_minute }: ContactChange) {
  const channel = config && changedChannel(contact, config)
  return {
    ...contact,
    ...(alias !== undefined && { alias }),
    // What was wrong with it was wrong with what it was.
    ...(channel && { ...channel, problem: null }),
    ...(quiet_hours !== undefined && { quietHours: toQuietHours(quiet_hours) }),
    ...(max_per_minute !== undefined && { maxPerMinute: max_per_minute }),
  }
}

function changedChannel({ type, config: known }: ContactChannel, sent: Readonly<Record<string, unknown>>) {
  const kind = kindOf({ type })
  const { value, errors } = checkInput(kind.config, sent, 'body.config')
  if (errors) throw inputInvalid(errors)
  const channel = {
    type,
    config: withKeptSecrets(kind, value, fieldsOf(known)),
  } as ContactChannel
  checkMasks(channel)
  return channel
}

function checkMasks({ type, config }: ContactChannel): void {
  const errors = maskErrors(kindOf({ type }), fieldsOf(config))
  if (errors.length > 0) throw inputInvalid(errors)
}
