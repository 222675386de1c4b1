import { readFileSync } from 'node:fs'

/** Our own version, as `package.json` has it; beside src and dist alike. */
export function readServiceVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
