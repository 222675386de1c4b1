import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Inputs by which something was found, a folder a target: `found.test.ts` feeds them again for ever. */
const FOLDER = join(import.meta.dirname, 'found')

export interface FoundCase {
  readonly target: string
  readonly file: string
  read(): Buffer
}

export function listFoundCases(folder = FOLDER): FoundCase[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((target) =>
      readdirSync(join(folder, target))
        .sort()
        .map((file) => ({ target, file, read: () => readFileSync(join(folder, target, file)) })),
    )
}

/** Answers where it is, seen from the folder in which commands are given. */
export function keepFoundCase(target: string, input: Buffer, folder = FOLDER): string {
  const name = `${createHash('sha256').update(input).digest('hex').slice(0, 16)}.bin`
  mkdirSync(join(folder, target), { recursive: true })
  writeFileSync(join(folder, target, name), input)
  return relative(process.cwd(), join(folder, target, name))
}
