import { expect, test } from 'vitest'
import { aSetup, anAlert, search } from '../../test/builders/alerts.ts'
import { createActiveAlerts } from './active-alerts.ts'
import { type ActiveAlert } from './engine.ts'

const car = aSetup({ type: 'filter-search', filter: { classes: ['car'] } })

test('a row looks at its own alert and channels only, and into the database once, however many rows there are', async () => {
  const alerts = Array.from({ length: 200 }, (_, index) => anAlert({ id: `alert ${index}` }))
  const changed = alerts.map((alert, index) => (index === 7 ? { ...alert, setup: car } : alert))
  const rows: ActiveAlert[] = ['p', 'q'].flatMap((processId) =>
    alerts.map((alert) => ({
      alert,
      process: { processId, accountId: alert.accountId, sourceId: 's' },
      hasSeenPlaces: false,
    })),
  )
  let reads = 0
  const asked: string[] = []
  const activeAlerts = createActiveAlerts({
    store: {
      async listActive() {
        reads += 1
        return changed
      },
    },
    oneOffs: { find: () => undefined },
    engine: { list: () => rows },
    delivery: {
      backlogOf(channel) {
        asked.push(channel)
        return { waiting: 3, nextAttemptAtMs: null, trouble: channel.includes('alert 9:q:') ? 'Nobody is there' : null }
      },
    },
    processes: { factsOf: () => undefined },
    telemetry: { cfgOf: () => null },
  })

  const listed = await activeAlerts.list('account')
  expect(listed).toHaveLength(400)
  expect(reads).toBe(1)
  expect(asked).toHaveLength(400)
  const nameOf = ({ alert, process }: ActiveAlert) => `${alert.id} ${process.processId}`
  expect(listed.filter(({ isPending }) => isPending).map(nameOf)).toEqual(['alert 7 p', 'alert 7 q'])
  expect(listed.filter(({ problem }) => problem !== null)).toMatchObject([
    {
      alert: { id: 'alert 9', setup: search },
      process: { processId: 'q' },
      problem: 'Output 1: Nobody is there. Notifications that wait: 3; it is tried again.',
    },
  ])
})
