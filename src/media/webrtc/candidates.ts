import { isIP } from 'node:net'

/** Adds addresses, each a host candidate (RFC 8839 §5.1) on our one port, before those the library found. */
export function withHosts(sdp: string, addresses: readonly string[], port: number): string {
  if (addresses.length === 0) return sdp
  const lines = addresses.map(
    (address, index) => `a=candidate:aerie${index} 1 UDP ${2_130_706_431 - index} ${address} ${port} typ host\r\n`,
  )
  return sdp.replace(/^(?=a=(candidate|end-of-candidates))/m, lines.join(''))
}

/** Adds every address a second time, for TCP (RFC 6544 §4.5), where UDP does not get through. */
export function withTcp(sdp: string, port: number): string {
  let index = 0
  return sdp.replace(/^a=candidate:\S+ 1 UDP \d+ (\S+) \d+ typ host.*\r\n/gm, (line, address: string) => {
    const priority = 1_518_280_447 - index
    return `${line}a=candidate:aerietcp${index++} 1 TCP ${priority} ${address} ${port} typ host tcptype passive\r\n`
  })
}

/**
 * RFC 8839 §5.1: foundation, component, transport, priority, address, port. To the letter: what we read otherwise than the library
 * does would hide an address from us.
 */
const CANDIDATE = /^a=candidate:[\w+/]{1,32} [12] [A-Za-z]{3,8} \d{1,10} ([\da-fA-F:.]+) (\d{1,5}) typ [ !-~]+\r?$/

/**
 * The offer without the addresses that we may not call: the library sends several packets to every remote
 * candidate, whatever it is. Names go too, since the library would look them up without asking. A browser whose candidates
 * are gone gets through all the same, because it calls us at ours.
 */
export function withoutDenied(offer: string, isAllowed: (address: string, port: number) => boolean): string {
  return offer
    .split('\n')
    .filter((line) => {
      if (!/candidate/i.test(line) || /^a=end-of-candidates\r?$/.test(line)) return true
      const [, address = '', port = ''] = CANDIDATE.exec(line) ?? []
      return isIP(address) !== 0 && isAllowed(address, Number(port))
    })
    .join('\n')
}
