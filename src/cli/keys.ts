import { existsSync } from 'node:fs'
import { type z } from 'zod'
import { Allocation, KeyUpdate, NewKey, toKey } from '../accounts/accounts.schema.ts'
import { type AccountService, createAccountService } from '../accounts/accounts.service.ts'
import { createAccountStore } from '../accounts/accounts.store.ts'
import { type IssuedKey, type RotatedKey } from '../accounts/key-issuer.ts'
import { createLedgerStore } from '../accounts/ledger.store.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { type Account, FIRST_MASTER, isMaster } from '../core/account.ts'
import { systemClock } from '../core/clock.ts'
import { inputSentence } from '../core/input-sentence.ts'
import { type Balance } from '../core/minutes.ts'
import { createSourceTokenStore } from '../sources/source-tokens.store.ts'
import { createDiskReserve } from '../storage/disk-reserve.ts'
import { createJobStore } from '../storage/jobs.store.ts'
import { requireLatestSchema } from '../storage/migrate.ts'
import { masterKeyFile, writeMasterKey } from '../storage/secret-files.ts'
import { type Command, parse, say, toNumber, UsageError } from './command.ts'
import { openInstalled } from './installed-database.ts'
import { rightsOptions, toRights, type Values } from './key-rights.ts'
import { toTable } from './table.ts'

const options = {
  ...rightsOptions,
  json: { type: 'boolean' },
  master: { type: 'boolean' },
  of: { type: 'string' },
  minutes: { type: 'string' },
  pending: { type: 'boolean' },
  purge: { type: 'boolean' },
  'revoke-tokens': { type: 'boolean' },
} as const

/** In the place of a number of minutes. */
const UNLIMITED = 'unlimited'

/** The operator's way to keys and minutes: works on the database itself, whether the service runs or not. It neither makes nor upgrades one. */
export const keys: Command = {
  usage: `keys create USERNAME [--of MASTER | --master] [--minutes N|unlimited] [--expiration-date D] [--max-processes N] …
                                       (--minutes: from its master's pending ones; with --master, pending to allocate)
  aerie keys list [--json]
  aerie keys update USERNAME [--expiration-date YYYY-MM-DD|never] [--max-sources N] [--unlimited true|false] …
  aerie keys rotate USERNAME [--revoke-tokens]
                                       (a new key; the old one stops working; tokens of its sources do not, unless
                                       --revoke-tokens ends them too; that of admin is also written to master.key,
                                       if that file is still there)
  aerie keys revoke USERNAME [--purge] (a master's: with those of its children; --purge: also delete what they have stored
                                       and free their names, of keys revoked before too)
  aerie keys allocate USERNAME MINUTES (from its master's pending minutes)
  aerie keys grant USERNAME MINUTES [--pending]
  aerie keys grant USERNAME unlimited  (what it uses is counted, and never stops anything)`,
  summary: 'Make, list, change and revoke API keys, and give them minutes.',
  async run(args) {
    const { values, positionals } = parse(args, options)
    const [action, username, amount] = positionals
    const act = actions[action ?? '']
    if (!act) throw new UsageError(action ? `there is no \`aerie keys ${action}\`` : 'say what to do with keys')
    if (action !== 'list' && !username) throw new UsageError('a username is missing')

    const config = loadConfig(process.env, 'config.yml')
    if (action === 'revoke' || action === 'rotate') createDiskReserve(config.databaseUrl).makeRoom('key-revocation')
    const database = await openInstalled(config, 'there are no keys')
    try {
      const { db } = database
      await requireLatestSchema(db)
      const service = createAccountService({
        store: createAccountStore(db, createJobStore(database), createSourceTokenStore(db)),
        ledger: createLedgerStore(db),
        clock: systemClock,
      })
      await act({ service, config, values, username: username ?? '', amount })
    } finally {
      await database.close()
    }
  },
}

interface Call {
  readonly service: AccountService
  readonly config: Config
  readonly values: Values
  readonly username: string
  readonly amount: string | undefined
}
type Action = (call: Call) => Promise<void>

const actions: Readonly<Record<string, Action>> = {
  async create({ service, values, username }) {
    const wish = check(NewKey, { username, minutes: toMinutes(values['minutes']), ...toRights(values) })
    if (values['master']) {
      const { username: _, minutes, ...rights } = wish
      const given =
        minutes === null ? { rights: { ...rights, unlimited: true } } : { rights, minutes: { pendingMinutes: minutes } }
      return showIssued(await service.createMaster(username, given), values)
    }
    const master = await findMaster(service, values['of'] as string | undefined)
    showIssued(await service.createChild(master, wish), values)
  },
  async list({ service, values }) {
    const all = (await service.listAll()).map(toKey)
    if (values['json']) return say(JSON.stringify(all, null, 2))
    const shown = (unlimited: boolean, minutes: number) => (unlimited ? UNLIMITED : String(minutes))
    const rows = all.map(({ subscription, ...key }) => [
      key.username,
      key.is_master ? 'master' : 'child',
      shown(subscription.unlimited, subscription.remaining_minutes),
      String(subscription.consumed_minutes),
      shown(subscription.unlimited, subscription.pending_to_allocate),
      key.expiration_date ?? 'never',
    ])
    say(toTable([['USERNAME', 'KIND', 'REMAINING', 'CONSUMED', 'PENDING', 'EXPIRES'], ...rows]))
  },
  async update({ service, values, username }) {
    const change = check(KeyUpdate, toRights(values))
    if (Object.keys(change).length === 0) throw new UsageError('say what to change')
    const account = await service.update(await service.find(username), change)
    say(JSON.stringify(toKey(account), null, 2))
  },
  async rotate({ service, config, values, username }) {
    const isFirstMaster = username === FIRST_MASTER
    if (isFirstMaster && config.masterKey)
      throw new Error(
        `The key of ${username} is the setting AERIE_MASTER_KEY; change it there and start the service again.`,
      )
    const rotated = await service.rotate(await service.find(username), {
      revokeTokens: values['revoke-tokens'] === true,
    })
    if (isFirstMaster && existsSync(masterKeyFile(config.dataDir))) writeMasterKey(config.dataDir, rotated.key)
    showRotated(rotated, values)
  },
  async revoke({ service, values, username }) {
    const purge = values['purge'] === true
    const revoked = await service.revoke(await service.findRevocable(username, { purge }), { purge })
    const children = revoked.filter((name) => name !== username)
    say(`The key of ${username} no longer works.`)
    if (children.length > 0) say(`Nor do those of its children: ${children.join(', ')}.`)
    if (purge) say('The service deletes what is stored, now or when it runs next; five minutes later the name is free.')
  },
  async allocate({ service, username, amount }) {
    const { minutes } = toAllocation(username, amount)
    const master = await masterOf(service, await service.find(username))
    const { balance } = await service.allocate(master, username, minutes)
    say(`${username} has ${Math.floor(balance.remainingSeconds / 60)} minutes.${unlimitedNote(balance)}`)
  },
  async grant({ service, values, username, amount }) {
    if (amount === UNLIMITED) {
      if (values['pending']) throw new UsageError('--pending goes with a number of minutes; unlimited is both')
      await service.update(await service.find(username), { unlimited: true })
      return say(`${username} is unlimited.`)
    }
    const { minutes } = toAllocation(username, amount)
    const { balance } = await service.grant(username, values['pending'] ? { pendingMinutes: minutes } : { minutes })
    say(
      `${username} has ${Math.floor(balance.remainingSeconds / 60)} minutes, and ${Math.max(0, Math.floor(balance.pendingSeconds / 60))} pending to allocate.${unlimitedNote(balance)}`,
    )
  },
}

/** As `--minutes` says it. */
function toMinutes(text: Values[string]): number | null {
  if (text === UNLIMITED) return null
  return text === undefined ? 0 : toNumber(String(text), '--minutes')
}

function unlimitedNote({ isUnlimited }: Balance): string {
  return isUnlimited ? ' They wait until it is limited again: it is unlimited now.' : ''
}

function toAllocation(username: string, amount: string | undefined) {
  return check(Allocation, { username, minutes: toNumber(amount, 'MINUTES') })
}

async function findMaster(service: AccountService, username: string = FIRST_MASTER): Promise<Account> {
  const master = await service.find(username)
  if (!isMaster(master)) throw new UsageError(`${username} is not a master key`)
  return master
}

/** An account that is found has a master that is not revoked. */
async function masterOf(service: AccountService, account: Account): Promise<Account> {
  return (await service.listAll()).find(({ id }) => id === (account.masterId ?? account.id))!
}

function check<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input, { error: inputSentence })
  if (result.success) return result.data
  throw new UsageError(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
}

function showIssued({ account, key }: IssuedKey, values: Values): void {
  if (values['json']) return say(JSON.stringify({ ...toKey(account), key }, null, 2))
  say(`The key of ${account.username}, shown only now:\n\n    ${key}\n`)
}

function showRotated(rotated: RotatedKey, values: Values): void {
  const { account, key, sourceTokens } = rotated
  if (values['json']) return say(JSON.stringify({ ...toKey(account), key, source_tokens: sourceTokens.kept }, null, 2))
  showIssued(rotated, values)
  const { username } = account
  if (values['revoke-tokens'])
    say(`Source tokens of ${username} that were revoked with the old key: ${sourceTokens.revoked}.`)
  else if (sourceTokens.kept > 0)
    say(
      `Source tokens of ${username} that still work, for cameras and viewers: ${sourceTokens.kept}. If others may know them, ` +
        `\`aerie keys rotate ${username} --revoke-tokens\` ends all of them, with another new key; ` +
        'DELETE /source/{source_uuid}/token/{token_uuid} ends one.',
    )
}
