import { toMediaPath } from '../core/media-path.ts'

const MAX_SLUG_LENGTH = 60
/** More cameras of one name would have a number that nobody wants to type. */
const MAX_NUMBER = 10_000

/** The path under which a camera that we call is published: its name in letters that a path may have, with a number if taken. */
export async function chooseCameraPath(
  username: string,
  alias: string,
  isTaken: (path: string) => Promise<boolean>,
): Promise<string> {
  const base = `${username}/${toSlug(alias)}`
  for (let number = 1; number < MAX_NUMBER; number++) {
    const path = toMediaPath(number === 1 ? base : `${base}-${number}`)
    if (path !== undefined && !(await isTaken(path))) return path
  }
  throw new Error(`There is no free path that begins with ${base}.`)
}

/** `Gate 3 (Süd)` → `gate-3-sud`. */
export function toSlug(alias: string): string {
  const letters = alias
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-|-$/g, '')
  return letters === '' ? 'camera' : letters
}
