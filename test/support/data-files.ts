import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Installation } from './installation.ts'

/** All that a service keeps in this folder of its data, whichever node of it does: paths of files. */
export function dataFiles({ dataDirs }: Pick<Installation, 'dataDirs'>, ...folder: readonly string[]): string[] {
  return dataDirs
    .map((dataDir) => join(dataDir, ...folder))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
}
