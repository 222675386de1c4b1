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

/**
 * An IPv6 address that stands for one of IPv4 is judged as that: mapped (RFC 4291 §2.5.5), behind NAT64 (RFC 6052) or
 * 6to4 (RFC 3056).
 */
function unmap(address: string): string {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (isIP(plain) !== 6) return plain
  const groups = groupsOf(plain)
  const [a, b] = groups
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0)
  if (a === 0x2002) return toIpv4(groups[1]!, groups[2]!)
  const isNat64 = a === 0x64 && b === 0xff9b && isZero(2, 6)
  const isMapped = isZero(0, 5) && (groups[5] === 0xffff || groups[5] === 0)
  // `::` and `::1` are addresses of their own.
  return isNat64 || (isMapped && groups[6] !== 0) ? toIpv4(groups[6]!, groups[7]!) : plain
}

/** The eight groups of an IPv6 address, however it is written. */
function groupsOf(address: string): number[] {
  // The URL class writes a dotted end as two groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const parse = (text: string) => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)))
  const [left, right] = [parse(head), parse(tail ?? '')]
  return tail === undefined ? left : [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function toIpv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
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
