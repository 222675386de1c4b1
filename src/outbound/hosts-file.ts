import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { type HostAddress } from './host-address.ts'

/** The addresses that the machine's own file gives a name; undefined when it is not there. */
export async function addressesInHostsFile(hostname: string): Promise<readonly HostAddress[] | undefined> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '')
  return findInHosts(text, hostname)
}

/** hosts(5): an address and its names on each line. */
export function findInHosts(text: string, hostname: string): readonly HostAddress[] | undefined {
  // A final dot says that the name is whole (RFC 1034 §3.1); the file has none.
  const wanted = hostname.toLowerCase().replace(/\.$/, '')
  const found = text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    const family = isIP(address)
    return family && names.includes(wanted) ? [{ address, family }] : []
  })
  return found.length > 0 ? found : undefined
}
