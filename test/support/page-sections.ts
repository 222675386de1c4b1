import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** A page of sections that are written by different programs; each replaces its own and leaves the others as they are. */
export function writeSections(
  page: string,
  head: string,
  order: readonly string[],
  changed: ReadonlyMap<string, string>,
): void {
  const sections = new Map([...readSections(page), ...changed])
  const known = [...order, ...[...sections.keys()].filter((name) => !order.includes(name))]
  const texts = known.flatMap((name) =>
    sections.has(name) ? [`<!-- ${name} -->\n${sections.get(name)!.trim()}\n`] : [],
  )
  writeFileSync(page, [head, ...texts].join('\n'))
}

/** By their names, without the markers; none where there is no such page yet. */
export function readSections(page: string): Map<string, string> {
  if (!existsSync(page)) return new Map()
  const parts = readFileSync(page, 'utf8')
    .split(/^(?=<!-- \S+ -->$)/m)
    .slice(1)
  return new Map(
    parts.map((part) => {
      const name = /^<!-- (\S+) -->\n/.exec(part)!
      return [name[1]!, part.slice(name[0].length)]
    }),
  )
}
