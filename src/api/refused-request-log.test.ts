import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createRefusedRequestLog } from './refused-request-log.ts'

function setUp() {
  const clock = createFakeClock()
  const said: object[] = []
  const warn = (fields: object) => void said.push(fields)
  const log = createRefusedRequestLog({ warn } as never, clock, { linesPerAddress: 3, lines: 5 })
  const ask = (address: string, times: number) =>
    Array.from({ length: times }, () => log.takesLine(address)).filter(Boolean).length
  return { clock, said, ask, log }
}

test('the first of each address have lines, and how many had none is said once, when the minute is over', async () => {
  const { clock, said, ask } = setUp()
  expect([ask('10.0.0.1', 100), ask('10.0.0.2', 1)]).toEqual([3, 1])
  expect(said).toEqual([])
  await clock.advance(60_000)
  expect(said).toEqual([{ requests: 97, addresses: { '10.0.0.1': 97 } }])
  expect(ask('10.0.0.1', 4)).toBe(3)
})

test('many addresses together fill the log no more than that', async () => {
  const { clock, said, ask } = setUp()
  for (let i = 0; i < 20; i++) expect(ask(`10.0.0.${i}`, 2)).toBe(i < 2 ? 2 : i === 2 ? 1 : 0)
  await clock.advance(60_000)
  expect(said).toHaveLength(1)
  expect(Object.keys((said[0] as { addresses: object }).addresses)).toHaveLength(10)
})

test('nothing is said where nothing was left out, and what is left out is said when it closes', async () => {
  const { clock, said, ask, log } = setUp()
  ask('10.0.0.1', 3)
  await clock.advance(60_000)
  expect(said).toEqual([])
  ask('10.0.0.1', 4)
  log.close()
  await Promise.resolve()
  await clock.advance(0)
  expect(said).toHaveLength(1)
})
