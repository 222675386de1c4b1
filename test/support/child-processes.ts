import { readdirSync, readFileSync } from 'node:fs'

/** Living children of a process whose command line has these words. */
export function childrenOf(parentPid: number, words: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parentPid && commandOf(pid).includes(words))
}

/** False for a zombie too: nothing of it runs any more. */
export function isRunning(pid: number): boolean {
  return parentOf(pid) !== undefined && commandOf(pid) !== ''
}

/** The state and the parent stand after the name, which is in brackets and may hold anything. */
function parentOf(pid: number): number | undefined {
  const [state, parent] = read(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ')
  return state === 'Z' || parent === undefined ? undefined : Number(parent)
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
