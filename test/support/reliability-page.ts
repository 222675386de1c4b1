import { writeSections } from './page-sections.ts'

const HEAD = `# Reliability

What was broken, overloaded, used for long and fed with garbage, and what came of it.
`

/** Replaces one section of `docs/reliability.md`. */
export function writeReliability(name: 'chaos' | 'soak' | 'fuzz', text: string): void {
  writeSections('docs/reliability.md', HEAD, ['chaos', 'soak', 'fuzz'], new Map([[name, text]]))
}
