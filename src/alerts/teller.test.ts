import { expect, test } from 'vitest'
import { anAlert } from '../../test/builders/alerts.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createLog } from '../observe/log.ts'
import { type Progress } from './progress.ts'
import { createTeller } from './teller.ts'

function setUp({ isAway = false, setup = anAlert().setup } = {}) {
  const clock = createFakeClock()
  const lines: string[] = []
  const sent: number[] = []
  const saved: (Progress | null)[] = []
  const database = { isAway }
  let reserved = 0
  const alert = anAlert({ setup })
  let underWay = 0
  const counts = { maxUnderWay: 0 }
  const teller = createTeller(
    alert.id,
    { processId: 'p', accountId: 'a', sourceId: 's' },
    {
      delivery: {
        async send({ body }) {
          counts.maxUnderWay = Math.max(counts.maxUnderWay, ++underWay)
          await Promise.resolve()
          underWay -= 1
          if (database.isAway) throw new Error('away')
          sent.push((JSON.parse(body) as { sequence: number }).sequence)
        },
      },
      sequences: {
        reserve: async (_alert, _process, count) => (reserved += count),
        addChannel: async () => {},
        saveProgress: async (_alert, _process, progress) => void saved.push(progress),
      },
      clock,
      log: createLog({ level: 'error', write: (line) => void lines.push(line) }),
    },
  )
  const tell = (count: number) => {
    for (let index = 0; index < count; index++) teller.tell(alert, [{ event: 'found', data: {} }], { takenAtMs: 0 })
  }
  return { alert, counts, clock, lines, sent, saved, database, teller, tell, reserved: () => reserved }
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

test('what is left to be told is on disk before its beginning is handed over, and is forgotten when it is over', async () => {
  const { alert, clock, sent, saved, teller } = setUp()
  const seenAt = { takenAtMs: 0 }
  const over = { alert, happenings: [{ event: 'ended', data: {} }], seenAt }
  teller.tell(alert, [{ event: 'started', data: {} }], seenAt, over)
  while (saved.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(saved).toMatchObject([{ telling: [{ sequence: 1, happening: { event: 'started' } }], unfinished: over }])
  await teller.flush()
  expect(saved.slice(1)).toMatchObject([{ telling: [], unfinished: over }])
  teller.tell(alert, [{ event: 'ended', data: {} }], seenAt, { ...over, happenings: [] })
  await teller.flush()
  await clock.advance(500)
  expect(sent).toEqual([1, 2])
  expect(saved.at(-1)).toBeNull()
})

test('where a crash cut it short it goes on: the same numbers first, then what was left', async () => {
  const { alert, sent, teller } = setUp()
  const seenAt = { takenAtMs: 0 }
  const happening = { event: 'started', data: {} }
  const process = { processId: 'p', accountId: 'a', sourceId: 's' }
  const unfinished = { alert, happenings: [{ event: 'ended', data: {} }], seenAt }
  teller.restore({ process, telling: [{ alert, happening, seenAt, sequence: 7 }], unfinished })
  await teller.flush()
  expect(sent).toEqual([7, 1])
})

test('what happens in one frame is handed over together, to all outputs at once', async () => {
  const { setup } = anAlert()
  const output = [...setup.output, { type: 'webhook' as const, config: { url: 'http://x/' } }]
  const { alert, counts, sent, teller } = setUp({ setup: { ...setup, output } })
  const crossed = upTo(10).map(() => ({ event: 'crossed', data: {} }))
  teller.tell(alert, crossed, { takenAtMs: 0 })
  await teller.flush()
  expect(counts.maxUnderWay).toBe(20)
  expect(sent).toEqual(upTo(10).flatMap((sequence) => [sequence, sequence]))
})
