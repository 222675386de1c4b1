import { expect, test } from 'vitest'
import { consolePolicy } from './console-policy.ts'

test('nothing inline, nothing from elsewhere', () => {
  const policy = consolePolicy(undefined)
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).not.toMatch(/unsafe|http/)
})

test.each([
  ['https://tiles.example.org/{z}/{x}/{y}.png', 'https://tiles.example.org'],
  ['https://{s}.tiles.example.org:8080/a/{z}/{x}/{y}.png', 'https://*.tiles.example.org:8080'],
])('tiles of %s may be shown', (template, origin) => {
  expect(consolePolicy(template)).toContain(`img-src 'self' data: blob: ${origin};`)
})
