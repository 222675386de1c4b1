import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const scripts = readdirSync('training')
const parse = 'import ast, sys; [ast.parse(open(name).read(), name) for name in sys.argv[1:]]'

const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('the training scripts in Python parse', () => {
  const python = scripts.filter((name) => name.endsWith('.py')).map((name) => `training/${name}`)
  expect(python.length).toBeGreaterThan(5)
  expect(spawnSync('python3', ['-c', parse, ...python]).stderr.toString()).toBe('')
})

test('the training script in JavaScript parses', () => {
  expect(spawnSync(process.execPath, ['--check', 'training/infer.cjs']).stderr.toString()).toBe('')
})

test('the README of the training tells of every script', () => {
  const readme = readFileSync('training/README.md', 'utf8')
  for (const name of scripts) if (name !== 'README.md') expect(readme).toContain(`\`${name}\``)
})
