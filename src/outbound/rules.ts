import { type OutboundLists } from '../core/check-hosts.ts'

/**
 * Which addresses may be dialled for an account. Data, since it goes along to the workers: the dialling process checks, at every
 * dial, and dials what was checked.
 */
export interface OutboundRules extends OutboundLists {
  /** Loopback and this machine's other addresses: for the operator and for master keys. */
  readonly mayCallThisMachine: boolean
  /** Ports of our own media server: at this machine's addresses nobody gets in by them, as paths have rights of their own. */
  readonly mediaPorts: readonly number[]
}

/** What the operator asks for at this machine's own command line. */
export const OPERATOR_RULES: OutboundRules = { deny: [], allow: [], mayCallThisMachine: true, mediaPorts: [] }
