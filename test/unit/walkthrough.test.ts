import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/walkthrough.md'), 'utf8')

interface Step {
  readonly file: string
  /** What it stands below: the one that it is indented under, or the one before it. */
  readonly above: string | undefined
  /** It imports the one above, and not the other way round. */
  readonly isUpwards: boolean
}

/** Each `## ` is a way of its own. */
const steps = page.split(/^## /m).slice(1).flatMap(stepsOf)

function stepsOf(way: string): Step[] {
  const open: { readonly indent: number; readonly file: string }[] = []
  return [...way.matchAll(/^( *)(?:\d+\.|-) (↑ )?`([^`]+)`/gm)].map(([, spaces, arrow, file]) => {
    const indent = spaces!.length
    while (open.length > 0 && open.at(-1)!.indent > indent) open.pop()
    // Top-level steps follow each other; indented ones stand below the one that composes them.
    if (indent > 0 && open.at(-1)?.indent === indent) open.pop()
    const above = open.at(-1)?.file
    if (indent === 0) open.length = 0
    open.push({ indent, file: file! })
    return { file: file!, above, isUpwards: arrow !== undefined }
  })
}

/** Relative imports and the entries of child processes, which are named by what they are compiled to. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import|new URL\()\s*'(\.[^']+)'/g)].map(([, path]) =>
    relative(root, resolve(root, dirname(file), path!)).replace(/\.js$/, '.ts'),
  )
}

test('six ways are described', () => {
  expect(page.match(/^## /gm)).toHaveLength(6)
  expect(steps.filter(({ above }) => above === undefined)).toHaveLength(6)
})

test.each(steps)('$file is there', ({ file }) => {
  expect(existsSync(join(root, file))).toBe(true)
})

const joined = steps.filter((step) => step.above !== undefined)

test.each(joined.filter(({ isUpwards }) => !isUpwards))('$file is imported by $above', ({ file, above }) => {
  expect(importsOf(above!)).toContain(file)
})

test.each(joined.filter(({ isUpwards }) => isUpwards))('$file imports $above', ({ file, above }) => {
  expect(importsOf(file)).toContain(above)
})
