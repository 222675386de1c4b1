import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time in hundredths of a second (proc(5), fields 14 and 15 of `stat`). */
const TICKS_PER_SECOND = 100

export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The child of `parent` whose command line holds `name`. */
export function findChild(parent: number, name: string): number {
  const pid = readdirSync('/proc').find((entry) => {
    if (!/^\d+$/.test(entry)) return false
    try {
      const isChild = new RegExp(`^PPid:\\s+${parent}$`, 'm').test(readFileSync(`/proc/${entry}/status`, 'utf8'))
      return isChild && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(name)
    } catch {
      return false
    }
  })
  if (!pid) throw new Error(`${name} is not running`)
  return Number(pid)
}
