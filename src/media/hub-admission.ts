import { type Clock } from '../core/clock.ts'
import { createStandingRights } from '../core/standing-rights.ts'
import { type Access, type AccessRequest, type Authorize } from './access.ts'
import { type StandingAccess } from './live-path.ts'
import { type OwnerQuotas } from './owner-quotas.ts'
import { isLoss } from './refusal.ts'

/** Who may publish and read: asked when they come, and again and again while they stay. */
export interface HubAdmission {
  /** Rejects with a `MediaRefusal`. */
  admit(action: 'publish' | 'read', path: string, request: AccessRequest): Promise<Admitted>
  close(): void
}

export type Admitted = Access & StandingAccess

/** Another node of ours: the rights of those for whom it reads are checked where they are. */
export function relayAccess(quotas: OwnerQuotas): Admitted {
  return {
    principal: 'relay',
    isInternal: true,
    isRelay: true,
    readerSlots: quotas.readerSlots(undefined),
    ...NEVER_ASKED_AGAIN,
  }
}

const NEVER_ASKED_AGAIN: Pick<StandingAccess, 'confirm' | 'hold'> = { confirm: async () => {}, hold: () => () => {} }

interface Right {
  readonly action: 'publish' | 'read'
  readonly path: string
  readonly request: AccessRequest
}

export function createHubAdmission(authorize: Authorize, quotas: OwnerQuotas, clock: Clock): HubAdmission {
  const askAgain = ({ action, path, request }: Right) => authorize(action, path, request, true)
  const rights = createStandingRights({
    ask: askAgain,
    isRefusal: isLoss,
    identityOf: ({ action, path, request }: Right) => JSON.stringify([action, path, request]),
    clock,
  })

  return {
    async admit(action, path, request) {
      const right: Right = { action, path, request }
      const access = await authorize(action, path, request, false)
      const readerSlots = quotas.readerSlots(access.readerQuota)
      if (access.isInternal) return { ...access, readerSlots, ...NEVER_ASKED_AGAIN }
      return {
        ...access,
        readerSlots,
        confirm: async () => void (await askAgain(right)),
        hold: (onLost) => rights.hold(right, onLost),
      }
    },
    close: () => rights.close(),
  }
}
