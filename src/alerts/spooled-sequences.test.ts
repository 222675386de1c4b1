import { beforeEach, expect, test } from 'vitest'
import { anAlert } from '../../test/builders/alerts.ts'
import { type SpooledWriterOptions } from '../core/delivery.ts'
import { type Progress, toStoredProgress } from './progress.ts'
import { type AlertProgress, type SequenceStore } from './sequences.store.ts'
import { createSpooledSequences, type SpooledSequences } from './spooled-sequences.ts'

/** What the database has. */
let reserved: Map<string, number>
let channels: Map<string, string>
let progress: AlertProgress[]
/** What waits in the spool, by kind. */
let spool: Map<string, Map<string, unknown>>
let isAway: boolean
let sequences: SpooledSequences

beforeEach(() => {
  ;[reserved, channels, progress, spool, isAway] = [new Map(), new Map(), [], new Map(), false]
  sequences = create()
})

async function checkThere(): Promise<void> {
  if (isAway) throw new Error('away')
}

function create(): SpooledSequences {
  const store = {
    async reservedAt(processId: string) {
      await checkThere()
      return processId === 'p' ? new Map(reserved) : new Map<string, number>()
    },
    raiseReserved: async (alertId, _processId, number) => void reserved.set(alertId, number),
    addChannel: async (channel, alertId) => void channels.set(channel, alertId),
    channelsOf: async (alertId) => [...channels].flatMap(([channel, owner]) => (owner === alertId ? channel : [])),
    saveProgress: async () => {},
    listProgress: async () => progress,
  } satisfies Partial<SequenceStore>
  const createSpooledWriter = <Value>({ kind, save }: SpooledWriterOptions<Value>) => {
    const waiting = (spool.get(kind) ?? new Map<string, unknown>()) as Map<string, Value>
    spool.set(kind, waiting)
    return {
      async write(entries: ReadonlyMap<string, Value>) {
        if (!isAway) return save(entries)
        for (const [key, value] of entries) waiting.set(key, value)
      },
      waiting: () => waiting,
    }
  }
  return createSpooledSequences(store as Partial<SequenceStore> as SequenceStore, { createSpooledWriter })
}

const at = (processId: string) => ({ processId, accountId: 'account' })

test('numbers count on from those that the database has, for each alert', async () => {
  reserved.set('a', 300)
  expect(await sequences.reserve('a', at('p'), 100)).toBe(400)
  expect(await sequences.reserve('a', at('p'), 100)).toBe(500)
  expect(await sequences.reserve('b', at('p'), 100)).toBe(100)
  expect(Object.fromEntries(reserved)).toEqual({ a: 500, b: 100 })
})

test('at a process that was opened they do so too while the database is away, and after a kill in that time', async () => {
  reserved.set('a', 300)
  await sequences.open('p')
  isAway = true
  for (const expected of [400, 500]) expect(await sequences.reserve('a', at('p'), 100)).toBe(expected)
  expect(await sequences.reserve('b', at('p'), 100)).toBe(100)
  isAway = false
  sequences = create()
  expect(await sequences.reserve('a', at('p'), 100)).toBe(600)
  expect(await sequences.reserve('b', at('p'), 100)).toBe(200)
})

test('at one that was not, or is closed, nobody knows them then', async () => {
  await sequences.open('p')
  await sequences.open('q')
  sequences.close('p')
  isAway = true
  await expect(sequences.reserve('a', at('p'), 100)).rejects.toThrow('away')
  expect(await sequences.reserve('a', at('q'), 100)).toBe(100)
  sequences.closeAllBut(['p'])
  await expect(sequences.reserve('a', at('q'), 100)).rejects.toThrow('away')
})

test('channels that wait in the spool are listed with the others, each once', async () => {
  await sequences.addChannel('1', 'a', at('p'))
  isAway = true
  for (const channel of ['2', '1']) await sequences.addChannel(channel, 'a', at('p'))
  await sequences.addChannel('3', 'b', at('p'))
  expect(await sequences.channelsOf('a')).toEqual(['1', '2'])
})

test('progress in the spool is newer than that in the database', async () => {
  const aProgress = (processId: string, event: string): Progress => ({
    process: { processId, accountId: 'account', sourceId: 's' },
    inFlight: [],
    unfinished: { alert: anAlert({ id: 'a' }), events: [{ event, data: {} }], seenAt: { takenAtMs: 1 } },
  })
  progress = ['p', 'q', 'r'].map((processId) => ({ alertId: 'a', progress: aProgress(processId, 'stored') }))
  isAway = true
  await sequences.saveProgress('a', at('p'), toStoredProgress(aProgress('p', 'spooled')))
  await sequences.saveProgress('a', at('q'), null)
  await sequences.saveProgress('b', at('p'), toStoredProgress(aProgress('p', 'new')))
  const listed = (await sequences.listProgress()).map(
    ({ alertId, progress: { process, unfinished } }) =>
      `${alertId} ${process.processId} ${unfinished!.events[0]!.event}`,
  )
  expect(listed).toEqual(['a p spooled', 'a r stored', 'b p new'])
})
