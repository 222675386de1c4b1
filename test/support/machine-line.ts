import { arch, cpus } from 'node:os'

/** The machine that something was measured on. */
export function machineLine(): string {
  return `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores, ${arch()}, Node ${process.versions.node}`
}
