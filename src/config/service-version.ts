import { readFileSync } from 'node:fs'

/** Our own version, as `package.json` has it; beside src and dist alike. */
export function readServiceVersion(): string {
  return readPackage().version
}

/** Of the library by which we speak to FFmpeg, which comes with its own. */
export function readNodeAvVersion(): string {
  return readPackage().dependencies['node-av']
}

interface Package {
  readonly version: string
  readonly dependencies: { readonly 'node-av': string }
}

function readPackage(): Package {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Package
}
