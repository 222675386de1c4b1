import { type Account } from '../core/account.ts'
import { checkHosts, type NamedHost, type ObjectionTo } from '../core/check-hosts.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { inputInvalid } from '../core/refusals.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Alert, isGeographic, type Setup } from './alert.ts'
import { type AlertChange, type NewAlert } from './alerts.schema.ts'
import { type AlertStore } from './alerts.store.ts'
import { readBrokerAddress } from './broker-address.ts'
import { changedSetup, checkSetup } from './changed-setup.ts'
import { type Output, withNewSecrets } from './output.schema.ts'
import { whyWithoutPlaces } from './problem.ts'

/** Makes alerts out of requests, and refuses those that could never work. */
export interface AlertBuilder {
  build(account: Account, body: NewAlert, processId: string | null): Promise<Alert>
  withChange(alert: Alert, change: AlertChange): Alert
  checkOutputs(account: Account, outputs: Setup['output']): Promise<void>
  /** Throws when one of them is not a source of the account. */
  checkSources(account: Account, sourceIds: readonly string[] | null | undefined): Promise<void>
  /** Throws when a one-off alert needs places on Earth, and its process has none. */
  checkPlaces(oneOff: Alert): void
}

export interface AlertBuilderDeps {
  readonly store: Pick<AlertStore, 'findMissingSource' | 'findMissingContact'>
  readonly telemetry: { cfgOf(processId: string): TelemetryCfg | null }
  readonly objectionTo: ObjectionTo
  /** Names of all classes that any model knows. */
  readonly knownClasses: () => ReadonlySet<string>
  readonly clock: Clock
}

export function createAlertBuilder(deps: AlertBuilderDeps): AlertBuilder {
  const { store, telemetry, objectionTo, knownClasses, clock } = deps

  async function checkOutputs(account: Account, outputs: Setup['output']): Promise<void> {
    await checkHosts(objectionTo, account, outputs.flatMap(hostOf))
    const named = outputs.map((output) => (output.type === 'contact' ? output.config.contact_uuid : null))
    const missing = await store.findMissingContact(
      account.id,
      named.filter((id) => id !== null),
    )
    if (missing === undefined) return
    const path = `body.output.${named.indexOf(missing)}.config.contact_uuid`
    throw inputInvalid([{ path, message: 'is no contact of this key; GET /contacts lists those that are' }])
  }

  async function checkSources(account: Account, sourceIds: readonly string[] | null | undefined): Promise<void> {
    const missing = await store.findMissingSource(account.id, sourceIds ?? [])
    if (missing !== undefined) throw new AppError('source-not-found', { source_uuid: missing })
  }

  return {
    async build(account, body, processId) {
      const { alias, status, source_uuids, ...sent } = body
      const setup = { ...sent, output: withNewSecrets(sent.output) }
      checkSetup(setup, knownClasses())
      const sourceIds = toSourceIds(source_uuids, processId)
      await checkSources(account, sourceIds)
      await checkOutputs(account, setup.output)
      const [id, accountId, now] = [orderedUuid(), account.id, clock.now()]
      return { id, accountId, alias, status, setup, processId, sourceIds, createdAt: now, updatedAt: now }
    },
    withChange(alert, change) {
      const changed = changedSetup(alert, change)
      const setup = change.output ? { ...changed, output: withNewSecrets(changed.output) } : changed
      // What is not sent is not checked: an alert can be switched off whatever has become of its classes.
      if (change.filter ?? change.output) checkSetup(setup, knownClasses())
      const { alias = alert.alias, status = alert.status, source_uuids } = change
      const sourceIds = source_uuids === undefined ? alert.sourceIds : toSourceIds(source_uuids, alert.processId)
      return { ...alert, alias, status, sourceIds, setup, updatedAt: clock.now() }
    },
    checkOutputs,
    checkSources,
    checkPlaces({ processId, setup }) {
      const cfg = telemetry.cfgOf(processId!)
      const needsDistance = setup.filter.max_distance_m !== undefined && !cfg
      const reason = isGeographic(setup) || needsDistance ? whyWithoutPlaces(cfg) : null
      if (reason) throw new AppError('geolocation-not-configured', { process_uuid: processId, reason })
    },
  }
}

/** Each once, in one order. */
function toSourceIds(sent: readonly string[] | null | undefined, processId: string | null): readonly string[] | null {
  if (!sent) return null
  if (processId === null) return [...new Set(sent)].sort()
  const message = 'is for registered alerts; this one looks at its process only'
  throw inputInvalid([{ path: 'body.source_uuids', message }])
}

function hostOf(output: Output, index: number): NamedHost | [] {
  if (output.type === 'contact') return []
  const config = `body.output.${index}.config`
  if (output.type === 'webhook') return { path: `${config}.url`, hostname: new URL(output.config.url).hostname }
  const address = readBrokerAddress(output.config.host)
  const path = `${config}.host`
  return 'problem' in address ? { path, hostname: '' } : { path, hostname: address.host, port: address.port }
}
