import { type Account } from './account.ts'
import { type InputError } from './errors.ts'
import { inputInvalid } from './refusals.ts'

/** Ranges of addresses (CIDR) that may not, or may all the same, be called for users, as the operator sets them. */
export interface OutboundLists {
  readonly deny: readonly string[]
  readonly allow: readonly string[]
}

/** Why this host is not called for this account; undefined when nothing is against it. */
export type ObjectionTo = (account: Account, hostname: string, port?: number) => Promise<string | undefined>

/** A host that is to be called, and where in the request it stands. */
export interface NamedHost {
  readonly path: string
  readonly hostname: string
  readonly port?: number
}

/** What is against calling these hosts for the account, each at its place. */
export async function hostErrors(
  objectionTo: ObjectionTo,
  account: Account,
  hosts: readonly NamedHost[],
): Promise<InputError[]> {
  const objections = await Promise.all(hosts.map(({ hostname, port }) => objectionTo(account, hostname, port)))
  return hosts.flatMap(({ path }, index) => {
    const message = objections[index]
    return message === undefined ? [] : [{ path, message }]
  })
}

/** Throws with all of them, so that the caller can mend them at once. */
export async function checkHosts(
  objectionTo: ObjectionTo,
  account: Account,
  hosts: readonly NamedHost[],
): Promise<void> {
  const errors = await hostErrors(objectionTo, account, hosts)
  if (errors.length > 0) throw inputInvalid(errors)
}
