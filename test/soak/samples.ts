import { readdirSync, readFileSync } from 'node:fs'
import { childrenOf } from '../support/child-processes.ts'
import { type Sample } from './judge.ts'

/** What every process of the service holds now. */
export function takeSamples(servicePid: number, minute: number): Sample[] {
  const children = childrenOf(servicePid, '/').map((pid) => [pid, kindOf(pid)] as const)
  return [[servicePid, 'service'] as const, ...children].flatMap(([pid, kind]) => sampleOf(pid, kind, minute) ?? [])
}

/** The folder of its program says what a child does. */
function kindOf(pid: number): string {
  return /(\w[\w-]*)\/(?:worker|media-server|prober)\.js/.exec(read(pid, 'cmdline'))?.[1] ?? 'child'
}

function sampleOf(pid: number, kind: string, minute: number): Sample | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const numberOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)![1])
    return {
      minute,
      part: `${kind} ${pid}`,
      // Files that are mapped come and go as the system likes.
      memoryMb: numberOf('RssAnon') / 1024,
      handles: readdirSync(`/proc/${pid}/fd`).length,
      threads: numberOf('Threads'),
    }
  } catch {
    // It has ended.
    return undefined
  }
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
