import { isIP } from 'node:net'

/** Names are checked when they are called, and each time; what is an address already is refused at once. */
export function whyNotCalled(host: string, mayCall: (address: string) => boolean): string | undefined {
  const literal = host.replace(/^\[|\]$/g, '')
  if (!isIP(literal) || mayCall(literal)) return undefined
  return 'this address may not be called; see AERIE_OUTBOUND_DENY'
}
