import { beforeEach, describe, expect, test } from 'vitest'
import { anAlert } from '../../test/builders/alerts.ts'
import { type SpooledWriterOptions } from '../core/delivery.ts'
import { type Progress, readStoredProgress, toStoredProgress } from './progress.ts'
import { type AlertProgress, type SequenceStore } from './sequences.store.ts'
import { createSpooledSequences, type SpooledSequences } from './spooled-sequences.ts'

/** What the database has. */
let reserved: Map<string, number>
let channels: Map<string, string>
let progress: AlertProgress[]
/** What waits in the spool, by kind. */
let spool: Map<string, Map<string, unknown>>
let isAway: boolean
/** The database takes what waits in the spool. */
let drain: () => Promise<void>
let sequences: SpooledSequences

beforeEach(() => {
  ;[reserved, channels, progress, spool, isAway] = [new Map(), new Map(), [], new Map(), false]
  sequences = create()
})

async function checkThere(): Promise<void> {
  if (isAway) throw new Error('away')
}

function create({ isOneOfSeveral = false } = {}): SpooledSequences {
  const drains: (() => Promise<void>)[] = []
  drain = async () => {
    for (const one of drains) await one()
  }
  const store = {
    async reservedAt(processId: string) {
      await checkThere()
      return processId === 'p' ? new Map(reserved) : new Map<string, number>()
    },
    async raiseReserved(alertId, _processId, number) {
      await checkThere()
      reserved.set(alertId, Math.max(number, reserved.get(alertId) ?? 0))
    },
    async skipNumbers(processIds, count) {
      if (!processIds.includes('p')) return
      for (const [alertId, number] of reserved) reserved.set(alertId, number + count)
    },
    addChannel: async (channel, alertId) => void channels.set(channel, alertId),
    channelsOf: async (alertId) => [...channels].flatMap(([channel, owner]) => (owner === alertId ? channel : [])),
    async saveProgress(alertId, _processId, stored) {
      if (stored !== null) progress.push({ alertId, progress: readStoredProgress(stored) })
    },
    progressAt: async () => ({ stored: null, isOurs: true }),
    listProgress: async () => progress,
    async removeAlert(alertId) {
      reserved.delete(alertId)
      for (const [channel, owner] of channels) if (owner === alertId) channels.delete(channel)
      progress = progress.filter((one) => one.alertId !== alertId)
    },
  } satisfies Partial<SequenceStore>
  const createSpooledWriter = <Value>({ kind, save }: SpooledWriterOptions<Value>) => {
    const waiting = (spool.get(kind) ?? new Map<string, unknown>()) as Map<string, Value>
    spool.set(kind, waiting)
    drains.push(async () => {
      await save(waiting)
      waiting.clear()
    })
    return {
      async write(entries: ReadonlyMap<string, Value>) {
        if (!isAway && waiting.size === 0) return save(entries)
        for (const [key, value] of entries) waiting.set(key, value)
      },
      waiting: () => waiting,
    }
  }
  return createSpooledSequences(
    store as Partial<SequenceStore> as SequenceStore,
    { createSpooledWriter },
    { isOneOfSeveral, onLeft: async () => {} },
  )
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
  sequences.closeAllBut('all', ['p'])
  await expect(sequences.reserve('a', at('q'), 100)).rejects.toThrow('away')
})

describe('where another node takes the process over while this one is cut off from the database', () => {
  /** All that the node with this spool sets aside, in blocks of 100, before it has to wait. */
  async function setAside(node: SpooledSequences, alertId: string): Promise<number[]> {
    const blocks: number[] = []
    for (;;) {
      const block = await node.reserve(alertId, at('p'), 100).catch(() => undefined)
      if (block === undefined) return blocks
      blocks.push(block)
    }
  }

  test('no number is used by both, neither of alerts that the database knows of nor of others', async () => {
    reserved.set('known', 300)
    const cutOff = create({ isOneOfSeveral: true })
    await cutOff.open('p')
    isAway = true
    const there = { known: await setAside(cutOff, 'known'), other: await setAside(cutOff, 'other') }
    expect([there.known[0], there.known.at(-1), there.other.at(-1)]).toEqual([400, 10_200, 9_900])

    isAway = false
    spool = new Map()
    const successor = create({ isOneOfSeveral: true })
    // Also where it was tried again.
    for (let tries = 0; tries < 2; tries++) await successor.takeOver(['p'])
    await successor.open('p')
    const here = { known: await successor.reserve('known', at('p'), 100), other: await successor.reserve('other', at('p'), 100) } // prettier-ignore
    expect(here).toEqual({ known: 10_400, other: 10_100 })
    // As far as the next one would not begin behind these, they are in the database, whatever else waits.
    expect(Object.fromEntries(reserved)).toEqual(here)
  })

  test('who took it over hands out nothing while the database is away that a third one could hand out too', async () => {
    const successor = create({ isOneOfSeveral: true })
    await successor.takeOver(['p'])
    await successor.open('p')
    isAway = true
    await expect(successor.reserve('new', at('p'), 100)).rejects.toThrow('away')
    isAway = false
    expect(await successor.reserve('new', at('p'), 100)).toBe(10_100)
    isAway = true
    expect(await successor.reserve('new', at('p'), 100)).toBe(10_200)
  })

  test('a service that is alone has no gaps, and goes on for as long as it likes', async () => {
    await sequences.takeOver('all')
    await sequences.open('p')
    isAway = true
    for (let block = 1; block <= 200; block++) expect(await sequences.reserve('a', at('p'), 100)).toBe(100 * block)
  })
})

test('channels that wait in the spool are listed with the others, each once', async () => {
  await sequences.addChannel('1', 'a', at('p'))
  isAway = true
  for (const channel of ['2', '1']) await sequences.addChannel(channel, 'a', at('p'))
  await sequences.addChannel('3', 'b', at('p'))
  expect(await sequences.channelsOf('a')).toEqual(['1', '2'])
})

const aProgress = (processId: string, event: string): Progress => ({
  process: { processId, accountId: 'account', sourceId: 's' },
  inFlight: [],
  unfinished: { alert: anAlert({ id: 'a' }), events: [{ event, data: {} }], seenAt: { takenAtMs: 1 } },
})

test('nothing comes back of a removed alert of which something waited, also after a kill', async () => {
  await sequences.open('p')
  isAway = true
  for (const alertId of ['a', 'b']) {
    await sequences.reserve(alertId, at('p'), 100)
    await sequences.addChannel(`to ${alertId}`, alertId, at('p'))
    await sequences.saveProgress(alertId, at('p'), toStoredProgress(aProgress('p', 'spooled')))
  }
  isAway = false
  await sequences.removeAlert('a', 'account')
  for (let start = 0; start < 2; start++) {
    expect(await sequences.channelsOf('a')).toEqual([])
    expect((await sequences.listProgress('all')).map(({ alertId }) => alertId)).toEqual(['b'])
    sequences = create()
  }
  await drain()
  expect([Object.fromEntries(reserved), [...channels]]).toEqual([{ b: 100 }, [['to b', 'b']]])
  expect(progress.map(({ alertId }) => alertId)).toEqual(['b'])
})

test('nor of what was on its way to the database when it was removed', async () => {
  isAway = true
  await sequences.saveProgress('a', at('p'), toStoredProgress(aProgress('p', 'spooled')))
  isAway = false
  await sequences.removeAlert('a', 'account')
  progress = [{ alertId: 'a', progress: aProgress('p', 'spooled') }]
  await drain()
  expect(progress).toEqual([])
})

test('progress in the spool is newer than that in the database', async () => {
  progress = ['p', 'q', 'r'].map((processId) => ({ alertId: 'a', progress: aProgress(processId, 'stored') }))
  isAway = true
  await sequences.saveProgress('a', at('p'), toStoredProgress(aProgress('p', 'spooled')))
  await sequences.saveProgress('a', at('q'), null)
  await sequences.saveProgress('b', at('p'), toStoredProgress(aProgress('p', 'new')))
  const listed = (await sequences.listProgress('all')).map(
    ({ alertId, progress: { process, unfinished } }) =>
      `${alertId} ${process.processId} ${unfinished!.events[0]!.event}`,
  )
  expect(listed).toEqual(['a p spooled', 'a r stored', 'b p new'])
})

test('of some processes, progress in the spool and in the database is listed without that of others', async () => {
  const aProgress = (processId: string): Progress => ({
    process: { processId, accountId: 'account', sourceId: 's' },
    inFlight: [],
    unfinished: { alert: anAlert({ id: 'a' }), events: [], seenAt: { takenAtMs: 1 } },
  })
  progress = [{ alertId: 'a', progress: aProgress('p') }]
  isAway = true
  for (const processId of ['q', 'r'])
    await sequences.saveProgress('a', at(processId), toStoredProgress(aProgress(processId)))
  const listed = (await sequences.listProgress(['p', 'q'])).map((one) => one.progress.process.processId)
  expect(listed).toEqual(['p', 'q'])
})
