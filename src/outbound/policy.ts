import { isIP } from 'node:net'
import { createAddressSet, plainAddress } from '../core/ip-address.ts'
import { isOwnAddress } from './own-addresses.ts'
import { type OutboundRules } from './rules.ts'

/** Why an address is not called. */
export type Denial =
  /** Link-local or a cloud's metadata, or what the operator denies. */
  | 'denied'
  /** This machine itself, which is for the operator and for master keys. */
  | 'this-machine'
  /** Our own media server. */
  | 'own-media'

/**
 * Judges the addresses that the service calls for its users. The address that is judged must be the one that is then
 * dialled, or a name could resolve to something else in between.
 */
export interface OutboundPolicy {
  /** Undefined when it may be called. */
  denialOf(address: string, port?: number): Denial | undefined
}

const ALWAYS_DENIED = [
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '0.0.0.0/8',
  '::/128',
  '224.0.0.0/4',
  'ff00::/8',
  '255.255.255.255/32',
]

export function createOutboundPolicy(rules: OutboundRules, isOwn = isOwnAddress): OutboundPolicy {
  const allowed = createAddressSet(rules.allow)
  const denied = createAddressSet([...ALWAYS_DENIED, ...rules.deny])
  return {
    denialOf(address, port) {
      const plain = plainAddress(address)
      if (isIP(plain) === 0) return 'denied'
      const isThisMachine = isOwn(plain)
      // Before what the operator allows: that is about which hosts may be called, and this is about whose streams are whose.
      if (isThisMachine && port !== undefined && rules.mediaPorts.includes(port)) return 'own-media'
      if (allowed.has(plain)) return undefined
      if (denied.has(plain)) return 'denied'
      return isThisMachine && !rules.mayCallThisMachine ? 'this-machine' : undefined
    },
  }
}

/** What the user that named the host is to do about it. */
export function denialSentence(denial: Denial, host: string): string {
  switch (denial) {
    case 'denied':
      return `${host} may not be called; see AERIE_OUTBOUND_DENY and AERIE_OUTBOUND_ALLOW.`
    case 'this-machine':
      return `${host} is the machine of the service itself, which only a master key may call; its operator can allow it to all by listing its address in AERIE_OUTBOUND_ALLOW, as in 127.0.0.0/8 for localhost.`
    case 'own-media':
      return `${host} is the media server of this service; register the stream by its path there, <username>/<name>.`
  }
}
