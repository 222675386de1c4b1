import { type FuzzResult } from './run-target.ts'
import { type FuzzTarget } from './target.ts'

/** A row of the page for each target, by its name. */
export type FuzzRows = Map<string, string>

const HEAD = [
  '| target | what is fed | inputs | a second | failures | memory before → after | seed |',
  '|---|---|---|---|---|---|---|',
]

export function toRow({ name, about }: FuzzTarget, result: FuzzResult, seed: number): string {
  const { inputs, seconds, before, after } = result
  const memory = [before, after].map(({ residentBytes }) => `${Math.round(residentBytes / 2 ** 20)} MB`).join(' → ')
  return `| ${name} | ${about} | ${inputs} | ${Math.round(inputs / seconds)} | 0 | ${memory} | ${seed} |`
}

export function toFailedRow({ name, about }: FuzzTarget, seed: number): string {
  return `| ${name} | ${about} | | | 1 | | ${seed} |`
}

/** Those of an earlier run, which stay where their targets are not fed this time. */
export function readRows(section: string): FuzzRows {
  const rows = section.split('\n').filter((line) => /^\| (?!target )/.test(line))
  return new Map(rows.map((row) => [row.split('|')[1]!.trim(), row]))
}

export function toSection(rows: FuzzRows, targets: readonly FuzzTarget[], machine: string): string {
  const lines = targets.flatMap(({ name }) => rows.get(name) ?? [])
  const total = lines.reduce((sum, line) => sum + Number(line.split('|')[3]), 0)
  return [
    '## Inputs that strangers might send',
    '',
    'Written by `npm run fuzz`: valid sessions, messages and files with parts that are changed, moved or not of the length that they say.',
    'A failure is a crash, an answer of 500 or above, an error that is no sentence for its reader, something left behind, a hang, or 64 MB',
    'more of memory at the end than after the first tenth. Inputs by which something was found stay in `test/fuzz/found`, and are fed again',
    'by `npm test`, which also runs a short form of each.',
    '',
    `${total} inputs in all. Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.`,
    '',
    ...HEAD,
    ...lines,
  ].join('\n')
}
