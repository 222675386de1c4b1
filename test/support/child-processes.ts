import { readdirSync, readFileSync } from 'node:fs'

/** Living children of a process whose command line has these words. */
export function childrenOf(parentPid: number, words: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parentPid && commandOf(pid).includes(words))
}

/** Children that have ended, and that their parent has not looked after. */
export function countZombies(parentPid: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(statusOf).filter(({ state, parent }) => state === 'Z' && Number(parent) === parentPid).length
}

/** False for a zombie too: nothing of it runs any more. */
export function isRunning(pid: number): boolean {
  return parentOf(pid) !== undefined && commandOf(pid) !== ''
}

function parentOf(pid: number): number | undefined {
  const { state, parent } = statusOf(pid)
  return state === 'Z' || parent === undefined ? undefined : Number(parent)
}

/** The state and the parent stand after the name, which is in brackets and may hold anything. */
function statusOf(pid: number | string): { readonly state: string | undefined; readonly parent: string | undefined } {
  const [state, parent] = read(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ')
  return { state, parent }
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It is gone.
    return ''
  }
}
