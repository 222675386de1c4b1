import { KeyUpdate, NewKey, toKey } from '../accounts/accounts.schema.ts'
import { type AccountService, createAccountService, type IssuedKey } from '../accounts/accounts.service.ts'
import { createAccountStore } from '../accounts/accounts.store.ts'
import { createLedgerStore } from '../accounts/ledger.store.ts'
import { loadConfig } from '../config/config.ts'
import { createBus } from '../core/bus.ts'
import { systemClock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type Account, isMaster } from '../core/words.ts'
import { openDatabase } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { type Command, parse, say, toNumber, UsageError } from './command.ts'

const rightsOptions = {
  'expiration-date': { type: 'string' },
  'max-sources': { type: 'string' },
  'max-outputs': { type: 'string' },
  'max-attached-outputs': { type: 'string' },
  'max-processes': { type: 'string' },
  'max-video-upload-size-bytes': { type: 'string' },
  'total-storage-size-bytes': { type: 'string' },
  'recording-retention-days': { type: 'string' },
  'track-logger': { type: 'string' },
  enhancement: { type: 'string' },
  'process-recording': { type: 'string' },
} as const

const options = {
  ...rightsOptions,
  json: { type: 'boolean' },
  master: { type: 'boolean' },
  owner: { type: 'string' },
  minutes: { type: 'string' },
  pending: { type: 'boolean' },
  purge: { type: 'boolean' },
} as const

type Values = Partial<Record<keyof typeof options, string | boolean>>

/** The operator's way to keys and minutes: works on the database itself, whether the service runs or not. */
export const keys: Command = {
  usage: `keys create USERNAME [--owner MASTER | --master] [--minutes N] [--expiration-date D] [--max-processes N] …
  aerie keys list [--json]
  aerie keys update USERNAME [--expiration-date YYYY-MM-DD|never] [--max-sources N] [--track-logger true|false] …
  aerie keys rotate USERNAME           (a new key; the old one stops working)
  aerie keys revoke USERNAME
  aerie keys allocate USERNAME MINUTES (from its master's pending minutes)
  aerie keys grant USERNAME MINUTES [--pending]`,
  summary: 'Make, list, change and revoke API keys, and give them minutes.',
  async run(args) {
    const { values, positionals } = parse(args, options)
    const [action, username, amount] = positionals
    const act = actions[action ?? '']
    if (!act) throw new UsageError(action ? `there is no \`aerie keys ${action}\`` : 'say what to do with keys')
    if (action !== 'list' && !username) throw new UsageError('a username is missing')

    const database = openDatabase(loadConfig(process.env, 'config.yml').databaseUrl)
    try {
      await migrate(database.db)
      const bus = createBus<AppEvents>(() => {})
      const service = createAccountService({
        store: createAccountStore(database.db),
        ledger: createLedgerStore(database.db),
        bus,
        clock: systemClock,
      })
      await act(service, values, username ?? '', amount)
    } finally {
      await database.close()
    }
  },
}

type Action = (service: AccountService, values: Values, username: string, amount: string | undefined) => Promise<void>

const actions: Readonly<Record<string, Action>> = {
  async create(service, values, username) {
    const minutes = values.minutes === undefined ? 0 : toNumber(String(values.minutes), '--minutes')
    const wish = check(NewKey, { username, minutes, ...toRights(values) })
    if (values.master) {
      const { username: _, minutes: __, ...rights } = wish
      const issued = await service.createMaster(username, rights)
      return showIssued({ ...issued, account: await service.grant(username, { pendingMinutes: minutes }) }, values)
    }
    const master = await findMaster(service, values.owner as string | undefined)
    showIssued(await service.createChild(master, wish), values)
  },
  async list(service, values) {
    const all = (await service.listAll()).map(toKey)
    if (values.json) return say(JSON.stringify(all, null, 2))
    const rows = all.map((key) => [
      key.username,
      key.is_master ? 'master' : 'child',
      String(key.subscription.remaining_minutes),
      String(key.subscription.consumed_minutes),
      String(key.subscription.pending_to_allocate),
      key.expiration_date ?? 'never',
    ])
    say(toTable([['USERNAME', 'KIND', 'REMAINING', 'CONSUMED', 'PENDING', 'EXPIRES'], ...rows]))
  },
  async update(service, values, username) {
    const change = check(KeyUpdate, toRights(values))
    if (Object.keys(change).length === 0) throw new UsageError('say what to change')
    const account = await service.update(await service.find(username), change)
    say(JSON.stringify(toKey(account), null, 2))
  },
  async rotate(service, values, username) {
    showIssued(await service.rotate(await service.find(username)), values)
  },
  async revoke(service, values, username) {
    await service.revoke(await service.find(username), { purge: values.purge === true })
    say(`The key of ${username} no longer works.`)
  },
  async allocate(service, _values, username, amount) {
    const account = await service.find(username)
    const master = await ownerOf(service, account)
    const { balance } = await service.allocate(master, username, positive(amount))
    say(`${username} has ${Math.floor(balance.remainingSeconds / 60)} minutes.`)
  },
  async grant(service, values, username, amount) {
    const minutes = positive(amount)
    const { balance } = await service.grant(username, values.pending ? { pendingMinutes: minutes } : { minutes })
    say(
      `${username} has ${Math.floor(balance.remainingSeconds / 60)} minutes, and ${Math.floor(balance.pendingSeconds / 60)} pending to allocate.`,
    )
  },
}

function positive(amount: string | undefined): number {
  const minutes = toNumber(amount, 'MINUTES')
  if (minutes <= 0) throw new UsageError('MINUTES must be more than 0')
  return minutes
}

async function findMaster(service: AccountService, owner = 'admin'): Promise<Account> {
  const master = await service.find(owner)
  if (!isMaster(master)) throw new UsageError(`${owner} is not a master key`)
  return master
}

async function ownerOf(service: AccountService, account: Account): Promise<Account> {
  const owner = (await service.listAll()).find(({ id }) => id === (account.parentId ?? account.id))
  if (!owner) throw new UsageError(`the master of ${account.username} is revoked; use \`aerie keys grant\``)
  return owner
}

/** Typed rights in the API's form: `--max-sources 5` is `{max_sources: 5}`. */
function toRights(values: Values): Record<string, unknown> {
  const given = Object.keys(rightsOptions).filter((name) => values[name as keyof Values] !== undefined)
  return Object.fromEntries(
    given.map((name) => [name.replaceAll('-', '_'), toRight(name, String(values[name as keyof Values]))]),
  )
}

function toRight(name: string, text: string): unknown {
  if (name === 'expiration-date') return text === 'never' ? null : text
  if (text === 'true' || text === 'false') return text === 'true'
  return toNumber(text, `--${name}`)
}

function check<T>(
  schema: {
    safeParse(
      input: unknown,
    ): { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } }
  },
  input: unknown,
): T {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new UsageError(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
}

function showIssued({ account, key }: IssuedKey, values: Values): void {
  if (values.json) return say(JSON.stringify({ ...toKey(account), key }, null, 2))
  say(`The key of ${account.username}, shown only now:\n\n    ${key}\n`)
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
