import { type Account } from '../core/account.ts'
import { type Contact, type ContactChannel, type ContactTurns, type QuietHours } from '../core/contact.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type Db, lockAccount, lockActiveAccount, type Queryable } from '../storage/database.ts'
import { findOwned, inBatches, listPage, parseOrNull } from '../storage/queries.ts'
import { type ContactDeviceRow, type ContactRow } from '../storage/schema.ts'
import { type ListedContact, type NamedDevice } from './contact.ts'
import { type ContactTurnStore, createContactTurnStore, lockContact } from './contact-turns.store.ts'
import { type Held } from './held.ts'

export interface ContactStore extends ContactTurns, ContactTurnStore {
  /** False when the account has as many as it may. */
  insertWithinLimit(account: Pick<Account, 'id'>, contact: ListedContact, limit: number): Promise<boolean>
  findOf(accountId: string, id: string): Promise<ListedContact | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<ListedContact>>
  /** Nobody else changes it in between; undefined when there is none. What `change` throws is thrown. */
  change(
    accountId: string,
    id: string,
    change: (contact: ListedContact) => ListedContact,
  ): Promise<ListedContact | undefined>
  /** Not while registered alerts name it: those, by their aliases. False when there is none. */
  remove(accountId: string, id: string): Promise<boolean | readonly string[]>
  removeAllOf(accountId: string): Promise<void>
  /** A device with the same endpoint is replaced, and answered; undefined when there are as many as may be. */
  insertDeviceWithinLimit(contactId: string, device: NamedDevice, limit: number): Promise<NamedDevice | undefined>
  /** False when it has none. */
  removeDeviceOf(contactId: string, deviceId: string): Promise<boolean>
}

export function createContactStore(db: Db, clock: { now(): number }): ContactStore {
  const find = async (tx: Queryable, accountId: string, id: string) => {
    const row = await findOwned(tx.selectFrom('contact').selectAll(), accountId, id)
    return row && (await toContacts(tx, [row]))[0]
  }

  return {
    ...createContactTurnStore(db),
    insertWithinLimit: (account, contact, limit) =>
      db.transaction().execute(async (tx) => {
        await lockActiveAccount(tx, account.id)
        const own = await tx.selectFrom('contact').select('id').where('account_id', '=', account.id).execute()
        if (own.length >= limit) return false
        await tx.insertInto('contact').values(toRow(contact)).execute()
        return true
      }),
    findOf: (accountId, id) => find(db, accountId, id),
    async find(id) {
      const row = await db.selectFrom('contact').selectAll().where('id', '=', id).executeTakeFirst()
      return row && (await toContacts(db, [row]))[0]
    },
    async list(accountId, page) {
      const own = db.selectFrom('contact').selectAll().where('account_id', '=', accountId)
      const { items, nextCursor } = await listPage(own, page, (row) => row)
      return { items: await toContacts(db, items), nextCursor }
    },
    change: (accountId, id, change) =>
      db.transaction().execute(async (tx) => {
        await lockContact(tx, id)
        const before = await find(tx, accountId, id)
        if (!before) return undefined
        const after = change(before)
        const { alias, config, quiet_hours, max_per_minute, problem } = toRow(after)
        const changed = { alias, config, quiet_hours, max_per_minute, problem }
        await tx.updateTable('contact').set(changed).where('id', '=', id).execute()
        return after
      }),
    remove: (accountId, id) =>
      db.transaction().execute(async (tx) => {
        // An alert that is registered now waits for this account too.
        await lockAccount(tx, accountId)
        const naming = await tx
          .selectFrom('alert')
          .select('alias')
          .where('account_id', '=', accountId)
          .where('setup', 'like', `%"contact_uuid":"${id}"%`)
          .orderBy('id')
          .execute()
        if (naming.length > 0) return naming.map(({ alias }) => alias)
        const gone = tx.deleteFrom('contact').where('account_id', '=', accountId).where('id', '=', id)
        return (await gone.executeTakeFirstOrThrow()).numDeletedRows > 0n
      }),
    async removeAllOf(accountId) {
      await db.deleteFrom('contact').where('account_id', '=', accountId).execute()
    },
    insertDeviceWithinLimit: (contactId, device, limit) =>
      db.transaction().execute(async (tx) => {
        await lockContact(tx, contactId)
        const own = (await listDevices(tx, [contactId])).get(contactId) ?? []
        const known = own.find(({ endpoint }) => endpoint === device.endpoint)
        const kept = known ? { ...device, id: known.id, createdAt: known.createdAt } : device
        if (!known && own.length >= limit) return undefined
        if (known) await tx.deleteFrom('contact_device').where('id', '=', known.id).execute()
        await tx.insertInto('contact_device').values(toDeviceRow(contactId, kept)).execute()
        return kept
      }),
    async removeDeviceOf(contactId, deviceId) {
      const one = db.deleteFrom('contact_device').where('contact_id', '=', contactId).where('id', '=', deviceId)
      return (await one.executeTakeFirstOrThrow()).numDeletedRows > 0n
    },
    async removeDevice(deviceId) {
      await db.deleteFrom('contact_device').where('id', '=', deviceId).execute()
    },

    async noteSent(contactId, { hasArrived, problem }) {
      const noted = hasArrived ? { problem, last_sent_at: clock.now() } : { problem }
      await db.updateTable('contact').set(noted).where('id', '=', contactId).execute()
    },
  }
}

async function toContacts(tx: Queryable, rows: readonly ContactRow[]): Promise<ListedContact[]> {
  const devices = await listDevices(
    tx,
    rows.filter(({ type }) => type === 'webpush').map(({ id }) => id),
  )
  return rows.map((row) => toContact(row, devices.get(row.id) ?? []))
}

async function listDevices(tx: Queryable, contactIds: readonly string[]): Promise<ReadonlyMap<string, NamedDevice[]>> {
  const devices = new Map<string, NamedDevice[]>(contactIds.map((id) => [id, []]))
  for (const ids of inBatches(contactIds)) {
    const query = tx.selectFrom('contact_device').selectAll().where('contact_id', 'in', ids)
    for (const row of await query.orderBy('id').execute()) devices.get(row.contact_id)!.push(toDevice(row))
  }
  return devices
}

function toContact(row: ContactRow, devices: readonly NamedDevice[]): ListedContact {
  const channel = { type: row.type, config: JSON.parse(row.config) as Contact['config'] } as ContactChannel
  return {
    id: row.id,
    accountId: row.account_id,
    alias: row.alias,
    ...channel,
    quietHours: parseOrNull<QuietHours>(row.quiet_hours),
    maxPerMinute: row.max_per_minute,
    devices,
    createdAt: row.created_at,
    heldCount: parseOrNull<Held>(row.held)?.sum.count ?? 0,
    lastSentAt: row.last_sent_at,
    problem: row.problem,
  }
}

function toRow(contact: ListedContact): ContactRow {
  return {
    id: contact.id,
    account_id: contact.accountId,
    alias: contact.alias,
    type: contact.type,
    config: JSON.stringify(contact.config),
    quiet_hours: contact.quietHours && JSON.stringify(contact.quietHours),
    max_per_minute: contact.maxPerMinute,
    minute_at: null,
    minute_sent: 0,
    last_turn_id: null,
    held: null,
    held_process_id: null,
    last_sent_at: contact.lastSentAt,
    problem: contact.problem,
    created_at: contact.createdAt,
  }
}

function toDevice(row: ContactDeviceRow): NamedDevice {
  const { id, name, endpoint, p256dh, auth, created_at: createdAt } = row
  return { id, name, endpoint, keys: { p256dh, auth }, createdAt }
}

function toDeviceRow(contactId: string, { id, name, endpoint, keys, createdAt }: NamedDevice): ContactDeviceRow {
  return { id, contact_id: contactId, name, endpoint, ...keys, created_at: createdAt }
}
