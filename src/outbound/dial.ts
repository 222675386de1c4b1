import { connect } from 'node:net'
import { allowedAddresses } from './allowed-addresses.ts'
import { createOutboundPolicy } from './policy.ts'
import { type HostAddress, type Resolve, resolveByDns } from './resolve.ts'
import { type OutboundRules } from './rules.ts'

/** The address to connect to for a host: exactly that one is dialled. Asked before each attempt; rejects with a sentence when it may not be. */
export type Dial = (hostname: string, port: number) => Promise<string>

/** For each of several addresses; a network that swallows everything must not hold up the next one for long. */
const ANSWER_TIMEOUT_MS = 2_000

/**
 * The address of a host that may be called. What is dialled must be this one: resolved again, it could be another. Of
 * several it is the first at which somebody listens, since behind some names one is dead, or not of our network. Rejects
 * with a `HostRefused`.
 */
export async function dialAddress(
  hostname: string,
  port: number,
  rules: OutboundRules,
  resolve: Resolve = resolveByDns,
): Promise<string> {
  const addresses = await allowedAddresses(hostname, port, createOutboundPolicy(rules), resolve)
  return (await firstListening(addresses, port)) ?? addresses[0]!.address
}

/** A name with more addresses than these is no camera's. */
const MAX_TRIED = 8

async function firstListening(addresses: readonly HostAddress[], port: number): Promise<string | undefined> {
  if (addresses.length === 1) return addresses[0]!.address
  for (const { address } of addresses.slice(0, MAX_TRIED)) if (await isListening(address, port)) return address
  return undefined
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: ANSWER_TIMEOUT_MS })
    const end = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
