import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { type AddressSet, createAddressSet, plainAddress } from '../core/ip-address.ts'

/** `0.0.0.0` and `::` are dialled as loopback. */
const loopback = createAddressSet(['127.0.0.0/8', '::1', '0.0.0.0', '::'])
/** Interfaces come and go, but not from one call to the next. */
const READ_EVERY_MS = 1_000

let read: { readonly atMs: number; readonly addresses: AddressSet } | undefined

/** Whether a dial to this address reaches this very machine: by loopback, or by any address that is its own now. */
export function isOwnAddress(address: string): boolean {
  const plain = plainAddress(address)
  if (loopback.has(plain)) return true
  const nowMs = performance.now()
  if (!read || nowMs - read.atMs > READ_EVERY_MS) read = { atMs: nowMs, addresses: createAddressSet(listOwn()) }
  return read.addresses.has(plain)
}

/** Node leaves out interfaces without a carrier (a bridge without containers, a cable that is pulled), which the kernel serves all the same. */
function listOwn(): string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((own) => own ?? [])
  return [
    ...interfaces.map(({ address }) => plainAddress(address)),
    ...localRanges(readText('/proc/net/fib_trie')),
    ...localIpv6(readText('/proc/net/if_inet6')),
  ]
}

/** What Linux takes for itself, from its routing table: `|-- 172.17.0.1` and below it `/32 host LOCAL`. */
export function localRanges(trie: string): string[] {
  const ranges = new Set<string>()
  let address = ''
  for (const line of trie.split('\n')) {
    const [word = '', value = '', type = ''] = line.trim().split(/\s+/)
    if (word === '|--') address = value
    else if (word.startsWith('/') && value === 'host' && type === 'LOCAL') ranges.add(`${address}${word}`)
  }
  return [...ranges]
}

/** Lines such as `fe800000000000000000000000000001 02 40 20 80 eth0`. */
export function localIpv6(table: string): string[] {
  return table.split('\n').flatMap((line) => {
    const [digits = ''] = line.split(' ', 1)
    return /^[\da-f]{32}$/.test(digits) ? [plainAddress(digits.match(/.{4}/g)!.join(':'))] : []
  })
}

/** Empty where there is no such table, as on other systems. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
