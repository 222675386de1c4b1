import { hostname, networkInterfaces } from 'node:os'

/** By what others reach this machine, as the host of a URL, where a server listens on `host`. */
export function reachableHost(host: string): string {
  const address = ['0.0.0.0', '::', ''].includes(host) ? (firstAddress() ?? hostname()) : host
  return address.includes(':') ? `[${address}]` : address
}

/** IPv4 before IPv6; nothing that only this machine or its cable knows. */
function firstAddress(): string | undefined {
  const outside = Object.values(networkInterfaces()).flatMap((own) => (own ?? []).filter(({ internal }) => !internal))
  const reachable = outside.filter(({ address }) => !/^(169\.254\.|fe80:)/i.test(address))
  return (reachable.find(({ family }) => family === 'IPv4') ?? reachable[0])?.address
}
