import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { anAlertEventRow } from '../../test/builders/recorded-rows.ts'
import { seen } from '../../test/builders/report.ts'
import { aSource } from '../../test/builders/source.ts'
import { dialects } from '../../test/support/databases.ts'
import { createReportRig, type ReportRig } from '../../test/support/report-rig.ts'
import { type RecordingChoice } from '../core/recording-mode.ts'
import { createLog } from '../observe/log.ts'
import { type Process } from '../processes/process.ts'
import { type Source } from '../sources/source.ts'
import { createSourceStore } from '../sources/sources.store.ts'
import { createImportanceMarks, type ImportanceMarks } from './importance-marks.ts'
import { createImportanceMarkStore, type ImportanceMarkStore } from './importance-marks.store.ts'
import { createRecordingStore } from './recordings.store.ts'
import { createSegmentStore } from './segments.store.ts'

const HOUR_MS = 3_600_000
const byEvent = (...classes: string[]): RecordingChoice => ({ recordingMode: 'events', recordingClasses: classes })
const always: RecordingChoice = { recordingMode: 'always', recordingClasses: null }

const named = { alias: 'gate', type: 'filter-search', trackIds: [] }

describe.each(dialects)('marks of importance on %s', (dialect) => {
  let rig: ReportRig
  let start: number
  let source: Source
  let process: Process
  let isAway = false
  const created: ImportanceMarks[] = []
  beforeEach(async () => {
    isAway = false
    rig = await createReportRig(dialect)
    start = rig.clock.now()
    source = await addSource(byEvent('person'))
    process = await rig.addProcess({ sourceId: source.id })
  })
  afterEach(async () => {
    for (const marks of created.splice(0)) await marks.close()
    await rig.remove()
  })

  async function addSource(choice: RecordingChoice, accountId = rig.account.id): Promise<Source> {
    const added = aSource({ accountId, ...choice })
    const account = { ...rig.account, id: accountId }
    await createSourceStore(rig.database.db).insertWithinLimits(account, added)
    return added
  }

  /** Files of ten seconds, as they are listed while they are written or once they have ended. */
  async function record(fromSeconds: number, files: number, { of = source, isOpen = false } = {}): Promise<void> {
    const { id: sourceId, accountId } = of
    const store = createRecordingStore(rig.database.db)
    const id = `${sourceId}-${fromSeconds}`
    await store.insert({ id, accountId, sourceId, alias: 'cam', startedAt: start, endedAt: null })
    for (let index = 0; index < files; index++) {
      const startedAt = start + (fromSeconds + 10 * index) * 1000
      const isLast = index === files - 1
      await createSegmentStore(rig.database.db).insert({
        id: `${id}-${index}`,
        recordingId: id,
        accountId,
        file: `${id}-${index}.mp4`,
        startedAt,
        durationMs: isOpen && isLast ? null : 10_000,
        sizeBytes: 10,
        gapMs: null,
        restUntil: startedAt + HOUR_MS,
      })
    }
  }

  function createMarks(): ImportanceMarks {
    const store = createImportanceMarkStore(rig.database.db, 600_000)
    const failing: ImportanceMarkStore = {
      ...store,
      async mark(given) {
        if (isAway) throw new Error('The database is away.')
        return store.mark(given)
      },
    }
    const marks = createImportanceMarks({
      store: failing,
      bus: rig.bus,
      clock: rig.clock,
      log: createLog({ level: 'silent' }),
    })
    created.push(marks)
    return marks
  }

  /** By the second at which each file begins. */
  async function marked(of: Source = source): Promise<Record<number, number>> {
    const rows = await rig.database.db
      .selectFrom('recording_segment')
      .select(['started_at', 'importance'])
      .where('source_id', '=', of.id)
      .where('importance', '>', 0)
      .orderBy('started_at')
      .execute()
    return Object.fromEntries(rows.map((row) => [(row.started_at - start) / 1000, row.importance]))
  }

  const see = (atSeconds: number, className = 'person', by = process) =>
    rig.see(by, [seen(1, { className })], start + atSeconds * 1000)
  const alert = (from: number, to = from, by = process) =>
    rig.bus.emit('alert-event', {
      processId: by.id,
      accountId: by.accountId,
      sourceId: by.sourceId,
      ...named,
      alertId: 'alert',
      eventId: 'event',
      event: 'ended',
      startedAtMs: start + from * 1000,
      atMs: start + to * 1000,
    })

  test('what is tracked marks ten seconds before and after it, and the files that these are in', async () => {
    await record(0, 10)
    const marks = createMarks()
    see(35)
    await marks.flush()
    expect(await marked()).toEqual({ 20: 1, 30: 1, 40: 1 })
    see(80)
    await marks.flush()
    // One that only ends or begins then has nothing of it.
    expect(await marked()).toEqual({ 20: 1, 30: 1, 40: 1, 70: 1, 80: 1 })
  })

  test('by the sender’s clock pictures are taken between milliseconds', async () => {
    await record(0, 10)
    const marks = createMarks()
    see(35.000_25)
    alert(75.000_25, 75.000_75)
    await marks.flush()
    expect(await marked()).toEqual({ 20: 1, 30: 1, 40: 1, 60: 2, 70: 2, 80: 2 })
  })

  test('what an alert is about is marked from its beginning to its end, and stays so', async () => {
    await record(0, 10)
    const marks = createMarks()
    alert(25, 45)
    see(85)
    await marks.flush()
    expect(await marked()).toEqual({ 10: 2, 20: 2, 30: 2, 40: 2, 50: 2, 70: 1, 80: 1, 90: 1 })
    see(35)
    await marks.flush()
    expect((await marked())[30]).toBe(2)
    alert(85)
    await marks.flush()
    expect((await marked())[80]).toBe(2)
  })

  test('files that come later are marked too, as far as it reaches ahead', async () => {
    await record(0, 4, { isOpen: true })
    const marks = createMarks()
    await rig.clock.advance(38_000)
    see(38)
    await marks.flush()
    expect(await marked()).toEqual({ 20: 1, 30: 1 })
    await record(40, 2, { isOpen: true })
    await rig.clock.advance(25_000)
    await marks.flush()
    expect(await marked()).toEqual({ 20: 1, 30: 1, 40: 1 })
    // By then all that is listed late is listed.
    await rig.clock.advance(60_000)
    await marks.flush()
    await record(41, 1)
    await marks.flush()
    expect(await marked()).toEqual({ 20: 1, 30: 1, 40: 1 })
  })

  test('somebody who stays is marked on and on', async () => {
    const marks = createMarks()
    for (let at = 0; at < 120; at += 10) {
      await record(at, 1, { isOpen: true })
      await rig.clock.advance(10_000)
      see(at + 9)
      await marks.flush()
    }
    expect(Object.keys(await marked())).toHaveLength(12)
  })

  test.each([
    { name: 'chosen ones', choice: byEvent('person', 'dog'), counts: { 0: 1, 10: 1, 20: 1 } },
    { name: 'none', choice: byEvent(), counts: { 90: 2 } },
    { name: 'all', choice: { ...always, recordingMode: 'events' } as const, counts: { 0: 1, 50: 1 } },
    { name: 'all, where all of it is kept', choice: always, counts: { 0: 1, 50: 1 } },
  ])('the classes that count: $name; alerts always do', async ({ choice, counts }) => {
    const change = (one: Source) => ({ ...one, ...choice })
    await createSourceStore(rig.database.db).change(rig.account, source.id, change)
    await record(0, 11)
    const marks = createMarks()
    see(15)
    see(55, 'car')
    alert(100)
    await marks.flush()
    expect(await marked()).toMatchObject(counts)
    expect((await marked())[50]).toBe(choice.recordingClasses ? undefined : 1)
  })

  test('sources of one account on one path are marked together, with what is chosen of any; another’s are not', async () => {
    const twin = await addSource(byEvent('car'))
    const { account: other } = await addAccount(rig.database, { username: 'other' })
    const foreign = await addSource(byEvent('car'), other.id)
    const twinProcess = await rig.addProcess({ sourceId: twin.id })
    const foreignProcess = await rig.addProcess({ sourceId: foreign.id, accountId: other.id })
    await record(0, 10)
    await record(0, 10, { of: foreign })
    const marks = createMarks()
    see(15, 'car', twinProcess)
    see(45, 'car', foreignProcess)
    await marks.flush()
    expect(await marked()).toEqual({ 0: 1, 10: 1, 20: 1 })
    expect(await marked(foreign)).toEqual({ 30: 1, 40: 1, 50: 1 })
  })

  test('what is seen while the database is away is marked when it is back, and no more', async () => {
    await record(0, 10)
    const marks = createMarks()
    isAway = true
    see(15)
    await expect(marks.flush()).rejects.toThrow('away')
    see(75)
    await expect(marks.flush()).rejects.toThrow('away')
    isAway = false
    await marks.flush()
    expect(await marked()).toEqual({ 0: 1, 10: 1, 20: 1, 60: 1, 70: 1, 80: 1 })
  })

  test('every ten seconds, and at the end', async () => {
    await record(0, 10)
    const marks = createMarks()
    marks.start()
    see(15)
    await rig.clock.advance(10_000)
    await expect.poll(() => marked()).toEqual({ 0: 1, 10: 1, 20: 1 })
    see(75)
    await marks.close()
    expect(await marked()).toMatchObject({ 70: 1 })
  })

  test('what a kill has lost is marked by reports and alert events, however long nobody was there', async () => {
    await record(0, 10)
    see(15)
    rig.see(process, [seen(2, { className: 'car' })], start + 45_000)
    await rig.reports.service.flush()
    const event = anAlertEventRow({ source_id: source.id, started_at: start + 75_000, at: start + 76_000 })
    await rig.database.db.insertInto('alert_event').values(event).execute()
    await rig.clock.advance(5 * HOUR_MS)
    await createMarks().restore()
    expect(await marked()).toEqual({ 0: 1, 10: 1, 20: 1, 60: 2, 70: 2, 80: 2 })
  })

  test('files, sources that are gone and clocks that cannot be right mark nothing, and are forgotten', async () => {
    await record(0, 10)
    const marks = createMarks()
    const orphan = await rig.addProcess({ sourceId: '00000000-0000-7000-9000-00000000ffff' })
    see(15, 'person', orphan)
    rig.bus.emit('alert-event', {
      ...{
        processId: process.id,
        accountId: process.accountId,
        sourceId: source.id,
        alertId: 'a',
        eventId: 'e',
        ...named,
      },
      ...{ event: 'found', atMs: Number.MAX_SAFE_INTEGER, startedAtMs: Number.MAX_SAFE_INTEGER },
    })
    await marks.flush()
    expect(await marked()).toEqual({})
    await rig.clock.advance(HOUR_MS)
    await marks.flush()
    await record(0, 1, { of: { ...source, id: orphan.sourceId } })
    await record(3_600, 1)
    await marks.flush()
    expect(await marked()).toEqual({})
  })
})
