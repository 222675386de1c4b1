import { networkInterfaces } from 'node:os'
import { createAddressSet, plainAddress } from '../core/ip-address.ts'

/** `0.0.0.0` and `::` are dialled as loopback. */
const loopback = createAddressSet(['127.0.0.0/8', '::1', '0.0.0.0', '::'])

/** Whether whoever dials this address reaches this very machine: by loopback, or by any of its interfaces now. */
export function isOwnAddress(address: string): boolean {
  const plain = plainAddress(address)
  if (loopback.has(plain)) return true
  return Object.values(networkInterfaces()).some((own) => own?.some((one) => plainAddress(one.address) === plain))
}
