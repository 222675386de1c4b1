import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dialects } from '../../test/builders/databases.ts'
import { aPicture, seen } from '../../test/builders/report.ts'
import { createReportStage, type ReportStage } from '../../test/builders/report-stage.ts'
import { type Account } from '../core/account.ts'
import { nothingTold } from '../enhance/messages.ts'
import { type Process } from '../processes/process.ts'
import { createProcessStore } from '../processes/processes.store.ts'
import { aProcess } from '../../test/builders/process.ts'
import { ENHANCEMENT_JOB } from './enhancement.store.ts'

describe.each(dialects)('enhancement on %s', (dialect) => {
  let stage: ReportStage
  let process: Process
  beforeEach(async () => {
    stage = await createReportStage(dialect)
    process = await stage.addProcess()
    stage.see(process, [seen(1), seen(2), seen(3, { classId: 3, className: 'car' })])
    stage.show(process, aPicture(1), aPicture(2), aPicture(3), aPicture(3, { role: 'crop', slot: 1 }))
    await stage.end(process)
  })
  afterEach(() => stage.remove())

  const start = (isAgain = false, account: Account = stage.account) =>
    stage.reports.enhancement.start(account, process.id, isAgain)
  const status = () => stage.reports.enhancement.status(stage.account, process.id)
  const run = (signal?: AbortSignal) => stage.runJobs(ENHANCEMENT_JOB, signal)
  const withLimit = (maxProcesses: number) => ({
    ...stage.account,
    limits: { ...stage.account.limits, maxProcesses },
  })
  async function enhanced() {
    const wanted = { boxes: false, places: false, patches: false }
    const { tracks } = await stage.reports.service.open(stage.account, process.id, 10, wanted)
    const all = []
    for await (const track of tracks) all.push(track.enhanced)
    return all
  }

  test('every track is looked at once, and the report shows what was read', async () => {
    await expect(status()).rejects.toMatchObject({ code: 'enhancement-not-found' })
    expect(await enhanced()).toEqual([undefined, undefined, undefined])
    await start()
    expect(stage.woken).toEqual([ENHANCEMENT_JOB])
    expect(await status()).toMatchObject({ status: 'RUNNING', reason: null, done: 0, total: 3 })
    stage.worker.answer = ({ track }) => ({ ...nothingTold, vehicle_type: track.className === 'car' ? 'van' : null })
    await run()
    expect(await status()).toMatchObject({ status: 'FINISHED', done: 3, total: 3 })
    expect(await enhanced()).toEqual([nothingTold, nothingTold, { ...nothingTold, vehicle_type: 'van' }])
    const [last] = stage.worker.told.slice(-1)
    expect(last!.track.pictures.map(({ role }) => role).sort()).toEqual(['crop', 'patch'])
    for (const { file } of last!.track.pictures) expect(file).toContain(stage.dataDir)
  })

  test('again while it runs or when it is done does nothing, unless it is to be redone', async () => {
    await start()
    await start(true)
    expect(await run()).toBe(1)
    await start()
    expect(await run()).toBe(0)
    expect(stage.worker.told).toHaveLength(3)
    await stage.clock.advance(1)
    await start(true)
    expect(await status()).toMatchObject({ status: 'RUNNING', done: 0 })
    expect(await run()).toBe(1)
    expect(stage.worker.told).toHaveLength(6)
  })

  test('what was interrupted goes on where it was', async () => {
    const stopping = new AbortController()
    await start()
    stage.worker.answer = () => {
      if (stage.worker.told.length === 2) stopping.abort()
      return nothingTold
    }
    await expect(run(stopping.signal)).rejects.toThrow()
    expect(await status()).toMatchObject({ status: 'RUNNING' })
    const before = (await status()).done
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(3)
    // The lease of the runner that is gone is over.
    await stage.clock.advance(2_000)
    expect(await run()).toBe(1)
    expect(await status()).toMatchObject({ status: 'FINISHED', done: 3 })
  })

  test('a track that can’t be read fails alone', async () => {
    await start()
    stage.worker.answer = ({ request }) => (request === 2 ? 'fails' : nothingTold)
    await run()
    expect(await status()).toMatchObject({ status: 'FINISHED', done: 3 })
    // Its class is known without pictures.
    expect(await enhanced()).toEqual([nothingTold, { ...nothingTold, vehicle_type: 'person' }, nothingTold])
    expect(stage.logLines).toHaveLength(1)
    expect(JSON.parse(stage.logLines[0]!)).toMatchObject({ needed: 3, unread: 1, cause: '2-patch-0.jpg is damaged.' })
  })

  test('tracks that need no pictures say nothing of those that do', async () => {
    await start()
    stage.worker.answer = ({ track }) => (track.className === 'car' ? 'fails' : 'needs none')
    await run()
    expect(await status()).toMatchObject({ status: 'FAILED' })
    stage.worker.answer = () => 'needs none'
    await stage.clock.advance(1)
    await start()
    await run()
    expect(await status()).toMatchObject({ status: 'FINISHED' })
  })

  test('when nothing could be read it has failed, and may be tried again', async () => {
    await start()
    stage.worker.answer = () => 'fails'
    await run()
    expect(await status()).toMatchObject({
      status: 'FAILED',
      reason: 'None of the pictures in this report could be read. Of the first track: 1-patch-0.jpg is damaged.',
    })
    stage.worker.answer = () => nothingTold
    await stage.clock.advance(1)
    await start()
    await run()
    expect(await status()).toMatchObject({ status: 'FINISHED', reason: null })
  })

  test('a worker that dies is started again, but not for ever', async () => {
    await start()
    let deaths = 2
    stage.worker.answer = () => (deaths-- > 0 ? 'dies' : nothingTold)
    await run()
    expect(await status()).toMatchObject({ status: 'FINISHED' })

    await stage.clock.advance(1)
    await start(true)
    stage.worker.answer = () => 'dies'
    await run()
    expect(await status()).toMatchObject({
      status: 'FAILED',
      reason: expect.stringMatching(/crashed.*3 times/) as string,
    })
  })

  test('a worker that can’t start is told of at once', async () => {
    stage.worker.greeting = 'dies'
    await expect(start()).rejects.toMatchObject({ code: 'enhancement-unavailable', status: 503 })
    await expect(status()).rejects.toMatchObject({ code: 'enhancement-not-found' })
  })

  test('weights that are missing show with the first vehicle, and nothing half-done is shown', async () => {
    await start()
    stage.worker.answer = ({ track }) => (track.className === 'car' ? 'lacks weights' : nothingTold)
    await run()
    expect(await status()).toMatchObject({ status: 'FAILED', reason: 'The weights are missing.', done: 0 })
    expect(await enhanced()).toEqual([undefined, undefined, undefined])
  })

  test('the result before stays until the next is complete, and when that fails', async () => {
    const told = (vehicle_type: string) => ({ ...nothingTold, vehicle_type })
    stage.worker.answer = () => told('old')
    await start()
    await run()
    await stage.clock.advance(1)
    const stopping = new AbortController()
    stage.worker.answer = () => {
      stopping.abort()
      return told('new')
    }
    await start(true)
    await expect(run(stopping.signal)).rejects.toThrow()
    expect(await enhanced()).toEqual([told('old'), told('old'), told('old')])

    await stage.clock.advance(2_000)
    stage.worker.answer = ({ track }) => (track.className === 'car' ? 'lacks weights' : told('new'))
    await run()
    expect(await status()).toMatchObject({ status: 'FAILED', done: 3 })
    expect(await enhanced()).toEqual([told('old'), told('old'), told('old')])

    stage.worker.answer = () => told('new')
    await stage.clock.advance(1)
    await start()
    await run()
    expect(await enhanced()).toEqual([told('new'), told('new'), told('new')])
  })

  test('a long report lets others have their turn', async () => {
    const long = await stage.addProcess()
    stage.see(
      long,
      Array.from({ length: 45 }, (_, index) => seen(index + 1)),
    )
    await stage.end(long)
    await stage.reports.enhancement.start(stage.account, long.id, false)
    await stage.clock.advance(1)
    await start()
    const longStatus = () => stage.reports.enhancement.status(stage.account, long.id)
    await run()
    expect(await longStatus()).toMatchObject({ status: 'RUNNING', done: 20, total: 45 })
    expect(await status()).toMatchObject({ status: 'FINISHED' })
    await run()
    await run()
    expect(await longStatus()).toMatchObject({ status: 'FINISHED', done: 45 })
  })

  test('who may not is told so before a worker is started', async () => {
    await stage.addProcess()
    stage.worker.greeting = 'dies'
    await expect(start(false, withLimit(1))).rejects.toMatchObject({ code: 'process-limit-reached', status: 403 })
    expect(stage.worker.launches).toBe(0)
  })

  test('nothing goes on for a key that is gone', async () => {
    await start()
    stage.takeKey()
    await run()
    expect(await status()).toMatchObject({ status: 'FAILED', reason: expect.stringContaining('revoked') as string })
    expect(stage.worker.told).toEqual([])
  })

  test('a report that is deleted meanwhile ends it quietly', async () => {
    await start()
    let removed: Promise<void> | undefined
    stage.worker.answer = () => {
      removed ??= stage.reports.service.remove(stage.account, process.id)
      return nothingTold
    }
    expect(await run()).toBe(1)
    await removed
    await expect(status()).rejects.toMatchObject({ code: 'report-not-found' })
    expect(await run()).toBe(0)
  })

  test('a process that goes on, a report of somebody else, a key that may not', async () => {
    const live = await stage.addProcess()
    const { enhancement } = stage.reports
    await expect(enhancement.start(stage.account, live.id, false)).rejects.toMatchObject({ code: 'process-not-ended' })
    await expect(start(false, { ...stage.account, id: 'somebody' })).rejects.toMatchObject({ code: 'report-not-found' })
    const features = { ...stage.account.features, enhancement: false }
    await expect(start(false, { ...stage.account, features })).rejects.toMatchObject({ code: 'enhancement-disabled' })
  })

  test('it takes a process slot while it runs, and needs minutes', async () => {
    await stage.addProcess()
    await expect(start(false, withLimit(1))).rejects.toMatchObject({ code: 'process-limit-reached', status: 403 })
    await start(false, withLimit(2))
    const next = aProcess({ accountId: stage.account.id })
    const processes = createProcessStore(stage.database.db)
    expect(await processes.insertWithinLimits(withLimit(2), next)).toBe('process-limit-reached')
    await run()
    expect(await processes.insertWithinLimits(withLimit(2), next)).toBe('inserted')

    await stage.database.db.updateTable('account').set({ remaining_seconds: 0 }).execute()
    await expect(start(true)).rejects.toMatchObject({ code: 'usage-limit-reached', status: 403 })
  })

  test('a report without tracks is finished at once', async () => {
    const empty = await stage.addProcess()
    await stage.end(empty)
    await stage.reports.enhancement.start(stage.account, empty.id, false)
    await run()
    expect(await stage.reports.enhancement.status(stage.account, empty.id)).toMatchObject({
      status: 'FINISHED',
      total: 0,
    })
  })
})
