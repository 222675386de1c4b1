import { BlockList, isIP } from 'node:net'

/**
 * Which addresses the service may call for its users. Link-local addresses (cloud metadata lives there) never,
 * unless the operator allows them; what the operator denies never. The address that is checked must be the one
 * that is then dialled, or a name could resolve to something else in between.
 */
export interface OutboundPolicy {
  isAllowed(address: string): boolean
}

const NEVER_BY_DEFAULT = [
  '169.254.0.0/16',
  '100.100.100.200/32',
  'fe80::/10',
  'fd00:ec2::254/128',
  '0.0.0.0/8',
  '::/128',
  '224.0.0.0/4',
  'ff00::/8',
  '255.255.255.255/32',
]

export function createOutboundPolicy({
  deny,
  allow,
}: {
  deny: readonly string[]
  allow: readonly string[]
}): OutboundPolicy {
  const allowed = toBlockList(allow)
  const denied = toBlockList([...NEVER_BY_DEFAULT, ...deny])
  return {
    isAllowed(address) {
      const plain = unmap(address)
      const family = isIP(plain)
      if (family === 0) return false
      const kind = family === 6 ? 'ipv6' : 'ipv4'
      return allowed.check(plain, kind) || !denied.check(plain, kind)
    },
  }
}

/** `::ffff:10.0.0.1` is 10.0.0.1, and is judged as such. */
function unmap(address: string): string {
  const plain = address.replace(/^\[|\]$/g, '')
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain
}

export function isCidr(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const family = isIP(address)
  if (family === 0) return false
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (kind === 'ipv6' ? 128 : 32)), kind)
  }
  return list
}
