import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Beside src and dist alike; built by `scripts/setup.js` and by `npm run build`. */
export const consoleFolder = fileURLToPath(new URL('../../console/dist/', import.meta.url))

export function isConsoleBuilt(): boolean {
  return existsSync(`${consoleFolder}index.html`)
}

/** For the log of a service that has none: what is missing, and what to do. */
export function missingConsole(): string[] {
  if (isConsoleBuilt()) return []
  return [
    'The web console is not built: / leads to the API page instead. `npm run build` builds it, then reload the page.',
  ]
}
