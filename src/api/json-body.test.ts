import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { type Account } from '../core/account.ts'
import { addJsonBody } from './json-body.ts'

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
