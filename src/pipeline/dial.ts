import { connect } from 'node:net'
import {
  allowedAddresses,
  type HostAddress,
  HostRefused,
  type Resolve,
  resolveByDns,
} from '../core/allowed-addresses.ts'
import { createOutboundPolicy } from '../core/outbound.ts'
import { type OutboundLists } from './messages.ts'
import { PipelineError } from './pipeline-error.ts'

/** Where it is listened if a URL does not say. */
const usualPorts: Readonly<Record<string, number>> = { 'rtsp:': 554, 'rtsps:': 322, 'rtmp:': 1935, 'rtmps:': 443 }
/** For each of several addresses; a network that swallows everything must not hold up the next one for long. */
const ANSWER_WITHIN_MS = 2_000

/**
 * The address of a host that may be called. What is dialled must be this one: resolved again, it could be another. Of
 * several it is the first at which somebody listens, since behind some names one is dead, or not of our network.
 */
export async function lookupAllowed(
  hostname: string,
  port: number,
  lists: OutboundLists,
  resolve: Resolve = resolveByDns,
): Promise<string> {
  const addresses = await allowedAddresses(hostname, createOutboundPolicy(lists), resolve).catch((error: unknown) => {
    if (error instanceof HostRefused && error.isForbidden) throw new PipelineError('source-unreadable', error.message)
    throw error
  })
  return (await firstListening(addresses, port)) ?? addresses[0]!.address
}

/** The URL with its host's name replaced by an address that may be called. */
export async function dialable(url: string, lists: OutboundLists, resolve?: Resolve): Promise<string> {
  const { protocol, username, password, hostname, port, pathname, search } = new URL(url)
  const address = await lookupAllowed(hostname, Number(port) || (usualPorts[protocol] ?? 0), lists, resolve)
  const host = address.includes(':') ? `[${address}]` : address
  // Put together anew: the URL's own setter refuses some hosts, and the name may stand in the userinfo too.
  const userinfo = username && `${username}${password && `:${password}`}@`
  return `${protocol}//${userinfo}${host}${port && `:${port}`}${pathname}${search}`
}

async function firstListening(addresses: readonly HostAddress[], port: number): Promise<string | undefined> {
  if (addresses.length === 1) return addresses[0]!.address
  for (const { address } of addresses) if (await isListening(address, port)) return address
  return undefined
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: ANSWER_WITHIN_MS })
    const end = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
