import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createTestApp } from '../support/app.ts'

const app = await createTestApp()
afterAll(() => app.remove())

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

/** What a histogram is made of. */
const PARTS = /_(bucket|sum|count)$/

test('the dashboard shows only what the service has', async () => {
  const { panels } = JSON.parse(readFileSync('docs/grafana-dashboard.json', 'utf8')) as Dashboard
  const { text } = await app.call('GET', '/metrics')
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const shown = panels.flatMap(({ title, targets }) =>
    targets.flatMap(({ expr }) => (expr.match(/\baerie_\w+/g) ?? []).map((name) => ({ title, name }))),
  )
  expect(shown.length).toBeGreaterThan(20)
  expect(shown.filter(({ name }) => !known.has(name.replace(PARTS, '')))).toEqual([])
})
