import { fastify } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Account } from '../core/account.ts'
import { addJsonBody, jsonFault } from './json-body.ts'

/** Answers in which turn of the event loop the bodies of these accounts were handed on, when they came at once. */
async function turnsOf(accounts: readonly string[]): Promise<number[]> {
  const app = fastify()
  onTestFinished(() => app.close())
  addJsonBody(app)
  app.addHook('onRequest', async (request) => void (request.account = { id: request.headers['x-id'] } as Account))
  let turn = 0
  const turns: number[] = []
  app.post('/', async ({ body }) => void turns.push((expect(body).toEqual({ a: 1 }), turn)))
  await app.ready()
  let isOver = false
  const count = () => ((turn += 1), void (isOver || setImmediate(count)))
  const answers = accounts.map((id) =>
    app.inject({ method: 'POST', url: '/', headers: { 'x-id': id }, payload: { a: 1 } }),
  )
  count()
  await Promise.all(answers)
  isOver = true
  return turns
}

test('bodies of one account are parsed one in a turn of the event loop', async () => {
  const turns = await turnsOf(['anna', 'anna', 'anna', 'anna'])
  expect(new Set(turns).size).toBe(4)
})

test('those of several accounts beside each other', async () => {
  const turns = await turnsOf(['anna', 'ben', 'cleo', 'dora'])
  expect(new Set(turns).size).toBe(1)
})

describe('what is said of a fault', () => {
  const QUOTES = 'use double quotes for names and texts.'
  const BEFORE = 'look for a missing quote, comma or bracket before it.'
  const EARLY = 'it ends too early; close every quote and bracket.'

  test.each([
    ["{'alias': 'x'}", `character 2 is wrong there: ${QUOTES}`],
    ['{"alias": \'x\'}', `character 11 is wrong there: ${QUOTES}`],
    ['{alias: 1}', `character 2 is wrong there; ${BEFORE}`],
    [
      '{"a": true, "b": yes, "c": "a text that makes it longer than the engine shows"}',
      `character 18 is wrong there; ${BEFORE}`,
    ],
    ['{"a": trux}', `character 10 is wrong there; ${BEFORE}`],
    ['alias', `character 1 is wrong there; ${BEFORE}`],
    ['{"a": 1 "b": 2}', `character 9 is wrong there; ${BEFORE}`],
    ['{"a": 1}}', `character 9 is wrong there; ${BEFORE}`],
    ['{"a": 1,}', `character 9 is wrong there; ${BEFORE}`],
    ['{"a": "x', EARLY],
    ['{"a": 1', EARLY],
    ['[', EARLY],
    ['['.repeat(200_000) + 'x', 'look for a missing quote, comma or bracket.'],
  ])('of %s it says: %s', (text, sentence) => {
    let fault: Error | undefined
    try {
      JSON.parse(text)
    } catch (error) {
      fault = error as Error
    }
    expect(jsonFault(text, fault!)).toBe(sentence)
  })
})
