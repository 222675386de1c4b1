import { BlockList, isIP } from 'node:net'

/** A set of addresses and ranges. */
export interface AddressSet {
  has(address: string): boolean
}

/** Of ranges as `isCidr` takes them. What is no address is in no set. */
export function createAddressSet(ranges: readonly string[]): AddressSet {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (kind === 'ipv6' ? 128 : 32)), kind)
  }
  return {
    has(address) {
      const plain = plainAddress(address)
      const family = isIP(plain)
      return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
    },
  }
}

/** `10.0.0.0/8`, `::1`. */
export function isCidr(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

/**
 * One spelling for one address, without brackets and zone. An IPv6 address that stands for one of IPv4 is that: mapped
 * (RFC 4291 §2.5.5), behind NAT64 (RFC 6052) or 6to4 (RFC 3056). What is no address stays as it is.
 */
export function plainAddress(address: string): string {
  const [plain = ''] = withoutBrackets(address).split('%')
  if (isIP(plain) !== 6) return plain
  const groups = groupsOf(plain)
  const [a, b] = groups
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0)
  if (a === 0x2002) return toIpv4(groups[1]!, groups[2]!)
  const isNat64 = a === 0x64 && b === 0xff9b && isZero(2, 6)
  const isMapped = isZero(0, 5) && (groups[5] === 0xffff || groups[5] === 0)
  // `::` and `::1` are addresses of their own.
  return isNat64 || (isMapped && groups[6] !== 0) ? toIpv4(groups[6]!, groups[7]!) : canonicalIpv6(plain)
}

/**
 * IPv4 as sockets that take both kinds write it (`::ffff:192.0.2.1`) as plain IPv4. Nothing else that stands for one: for
 * that there is `plainAddress`.
 */
export function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** As hosts stand in URLs: IPv6 between brackets. */
export function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
}

/** The URL class writes every IPv6 address in one way, a dotted end as two groups. */
function canonicalIpv6(address: string): string {
  return withoutBrackets(new URL(`http://[${address}]`).hostname)
}

/** The eight groups of an IPv6 address, however it is written. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = canonicalIpv6(address).split('::')
  const parse = (text: string) => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)))
  const [left, right] = [parse(head), parse(tail ?? '')]
  return tail === undefined ? left : [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function toIpv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
