import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Far more than a run records. */
const DISK_MB = 2_048

/** A small disk in memory, which can be filled without harm to others; only root may mount it. */
export function mountDisk(folder: string): string | undefined {
  if (process.getuid?.() !== 0) return undefined
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=700`, 'tmpfs', disk], { stdio: 'ignore' })
    return disk
  } catch {
    // In a container without that right.
    return undefined
  }
}

/** What makes temporary folders meanwhile makes them there. */
export async function withTemporaryFolder<T>(folder: string, action: () => Promise<T>): Promise<T> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    return await action()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
