import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Keeps what is slow to make. `key` must change with everything that `build` depends on. Several processes may ask
 * for the same thing at once: each then builds it, and whole files replace each other. A file that is not what was
 * written (its checksum stands at its end) is built again.
 */
export async function cached(dir: string, key: string, build: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const file = join(dir, `${key}.sealed`)
  const known = unseal(await readIfThere(file))
  if (known) return known

  const built = await build()
  const temporary = `${file}.${process.pid}-${randomUUID()}${temporarySuffix}`
  try {
    await mkdir(dir, { recursive: true })
    await removeLeftovers(dir)
    await writeFile(temporary, seal(built), { flag: 'wx' })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw new Error(`The folder ${dir} cannot be written; give one that can.`, { cause: error })
  }
  return built
}

const temporarySuffix = '.tmp'
const LEFTOVER_AGE_MS = 10 * 60_000
const CHECKSUM_LENGTH = 32

function checksum(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function seal(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, checksum(bytes)])
}

function unseal(sealed: Buffer | undefined): Uint8Array | undefined {
  if (!sealed || sealed.length < CHECKSUM_LENGTH) return undefined
  const bytes = sealed.subarray(0, -CHECKSUM_LENGTH)
  return checksum(bytes).equals(sealed.subarray(-CHECKSUM_LENGTH)) ? bytes : undefined
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  // Whatever keeps it from being read keeps it from being written too, and is reported there.
  return readFile(file).catch(() => undefined)
}

/** Removes what a process that died while writing left behind; what a living one writes is younger. */
async function removeLeftovers(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.endsWith(temporarySuffix)) continue
    const path = join(dir, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > LEFTOVER_AGE_MS) await rm(path, { force: true })
  }
}
