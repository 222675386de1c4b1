import { readFileSync } from 'node:fs'

const TICK_MS = 10

/** The time that a process has worked since it began, in its own code and in the kernel. */
export function cpuMsOf(pid: number): number {
  const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!
  return (Number(user) + Number(system)) * TICK_MS
}
