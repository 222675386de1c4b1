/** IPv4 in IPv6 (`::ffff:192.0.2.1`) as plain IPv4, the way UDP sockets and people write it. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
}
