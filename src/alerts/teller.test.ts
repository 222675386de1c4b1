import { expect, test } from 'vitest'
import { anAlert } from '../../test/builders/alerts.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createLog } from '../observe/log.ts'
import { createTeller } from './teller.ts'

function setUp({ isAway = false } = {}) {
  const clock = createFakeClock()
  const lines: string[] = []
  const sent: number[] = []
  const database = { isAway }
  let reserved = 0
  const alert = anAlert()
  const teller = createTeller(
    alert.id,
    { processId: 'p', accountId: 'a', sourceId: 's' },
    {
      delivery: {
        async send({ body }) {
          if (database.isAway) throw new Error('away')
          sent.push((JSON.parse(body) as { sequence: number }).sequence)
        },
      },
      sequences: { reserve: async (_alert, _process, count) => (reserved += count) },
      clock,
      log: createLog({ level: 'error', write: (line) => void lines.push(line) }),
    },
  )
  const tell = (count: number) => {
    for (let index = 0; index < count; index++) teller.tell(alert, { event: 'found', data: {} }, { takenAtMs: 0 })
  }
  return { clock, lines, sent, database, teller, tell, reserved: () => reserved }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('numbers are set aside a hundred at a time', async () => {
  const { teller, tell, sent, reserved } = setUp()
  tell(250)
  await teller.flush()
  expect(sent).toEqual(upTo(250))
  expect(reserved()).toBe(300)
})

test('a thousand wait for a database that is away; of more it is logged how many were lost', async () => {
  const { clock, lines, sent, database, teller, tell } = setUp({ isAway: true })
  tell(1_010)
  await clock.advance(1_000)
  database.isAway = false
  await clock.advance(1_000)
  await teller.flush()
  expect(sent).toEqual(upTo(1_000))
  expect(lines.at(-1)).toContain('"lost":10')
})

test('who closes waits no longer than for one try', async () => {
  const { sent, teller, tell } = setUp({ isAway: true })
  tell(5)
  await teller.close()
  expect(sent).toEqual([])
})

test('what is discarded is handed over no more', async () => {
  const { sent, teller, tell } = setUp()
  tell(5)
  await teller.discard()
  const before = sent.length
  expect(before).toBeLessThanOrEqual(1)
  tell(5)
  await teller.flush()
  expect(sent).toHaveLength(before)
})
