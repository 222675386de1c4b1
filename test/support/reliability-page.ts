import { readSections, writeSections } from './page-sections.ts'

const PAGE = 'docs/reliability.md'
const HEAD = `# Reliability

What was broken, overloaded, used for long and fed with garbage, and what came of it.
`

const SECTIONS = ['chaos', 'soak', 'fuzz'] as const

export type ReliabilitySection = (typeof SECTIONS)[number]

/** Empty where it was not written yet. */
export function readReliability(name: ReliabilitySection): string {
  return readSections(PAGE).get(name) ?? ''
}

/** Replaces one section of `docs/reliability.md`. */
export function writeReliability(name: ReliabilitySection, text: string): void {
  writeSections(PAGE, HEAD, SECTIONS, new Map([[name, text]]))
}
