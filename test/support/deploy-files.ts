/** What stands in `deploy/`, as those programs would read it for whom it is written. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

export const root = join(import.meta.dirname, '../..')

export const readDeployed = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')

/** Each document of a file of YAML; throws at whatever is not well-formed, a key that is there twice included. */
export function readYaml(name: string): unknown[] {
  return parseAllDocuments(readDeployed(name), { merge: true, strict: true }).map((document) => {
    if (document.errors.length + document.warnings.length > 0) throw document.errors[0] ?? document.warnings[0]!
    return document.toJS() as unknown
  })
}

export interface Instruction {
  readonly name: string
  readonly text: string
}

/** The stages of the Dockerfile, each a list of instructions that begins with its FROM; what is before the first is left out. */
export function readDockerStages(): Instruction[][] {
  const lines = readDeployed('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [, name, text] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name === undefined) continue
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, text: text! })
  }
  return stages
}

interface Copied {
  readonly from: string | undefined
  readonly sources: readonly string[]
  readonly target: string
}

export function copiesOf(stage: readonly Instruction[]): Copied[] {
  return stage
    .filter(({ name }) => name === 'COPY')
    .map(({ text }) => {
      const words = text.split(' ')
      const from = words[0]!.startsWith('--from=') ? words.shift()!.slice('--from='.length) : undefined
      return { from, sources: words.slice(0, -1), target: words.at(-1)! }
    })
}

/** Whether a path of the repository comes into the image's context: the last pattern that it, or a folder that it is in, matches says so. */
export function readDockerIgnore(): (path: string) => boolean {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: toRegExp(line.replace('!', '')) }))
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isKept ?? true
}

function toRegExp(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
  const parts = escaped.replace(/^\*\*\//, '(?:.*/)?').replaceAll(/(?<!\.)\*/g, '[^/]*')
  return new RegExp(`^${parts}(?:/|$)`)
}
