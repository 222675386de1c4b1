import { expect, test } from 'vitest'
import { aProcess } from '../../test/builders/process.ts'
import { type MinutesLow } from '../core/minutes.ts'
import { createMetrics } from '../observe/metrics.ts'
import { addMinutesMetrics } from './minutes-metrics.ts'
import { createMinutesWatch } from './minutes-watch.ts'
import { type Process } from './process.ts'

const HOUR = 3_600

function createRig(
  processes: readonly Process[],
  remaining: Readonly<Record<string, number>>,
  elsewhere: Readonly<Record<string, number>> = {},
) {
  const lows: MinutesLow[] = []
  const watch = createMinutesWatch({
    ledger: {
      balance: async (accountId) => ({
        isUnlimited: remaining[accountId] === undefined,
        remainingSeconds: remaining[accountId] ?? 0,
        consumedSeconds: 2 * HOUR,
        pendingSeconds: 0,
      }),
    },
    listProcesses: () => processes,
    countRunning: async () => new Map(Object.entries(elsewhere)),
    onLow: (low) => void lows.push(low),
  })
  return { watch, lows }
}

const running = (id: string, accountId: string, state: Process['state'] = 'running') =>
  aProcess({ id, accountId, state })

test('of those for whom something runs, it names who has less than a day left', async () => {
  const processes = [
    running('p1', 'four'),
    running('p2', 'four'),
    running('p3', 'four', 'paused'),
    running('p4', 'rich'),
    running('p5', 'unlimited'),
    running('p6', 'idle', 'reconnecting'),
  ]
  const { watch, lows } = createRig(processes, { four: 40 * HOUR, rich: 40 * HOUR, idle: 1 })
  await watch.look()
  expect(lows).toEqual([
    {
      accountId: 'four',
      processIds: ['p1', 'p2'],
      remainingSeconds: 40 * HOUR,
      allottedSeconds: 42 * HOUR,
      lastsSeconds: 20 * HOUR,
    },
  ])
  const metrics = createMetrics()
  addMinutesMetrics(metrics, watch, (processId) => `cam of ${processId}`)
  const text = await metrics.text()
  expect(text).toContain('aerie_keys_low_on_minutes 1\n')
  expect(text.match(/^aerie_process_minutes_last_seconds\{.*$/gm)).toEqual([
    `aerie_process_minutes_last_seconds{process_uuid="p1",alias="cam of p1"} ${20 * HOUR}`,
    `aerie_process_minutes_last_seconds{process_uuid="p2",alias="cam of p2"} ${20 * HOUR}`,
    `aerie_process_minutes_last_seconds{process_uuid="p4",alias="cam of p4"} ${40 * HOUR}`,
  ])
})

test('when nothing runs, nobody is low', async () => {
  const { watch, lows } = createRig([], {})
  await watch.look()
  expect([lows, watch.listForecasts()]).toEqual([[], []])
})

test('what runs on other nodes uses up the same minutes', async () => {
  const { watch, lows } = createRig([running('p1', 'spread')], { spread: 40 * HOUR }, { spread: 2 })
  await watch.look()
  expect(lows).toMatchObject([{ accountId: 'spread', processIds: ['p1'], lastsSeconds: 20 * HOUR }])
})
