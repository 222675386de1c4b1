import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dialects } from '../../test/support/databases.ts'
import { aTrackPicture, seen } from '../../test/builders/report.ts'
import { createReportRig, type ReportRig } from '../../test/support/report-rig.ts'
import { type Account } from '../core/account.ts'
import { nothingFound } from '../enhance/messages.ts'
import { type Process } from '../processes/process.ts'
import { createProcessStore } from '../processes/processes.store.ts'
import { aProcess } from '../../test/builders/process.ts'
import { ENHANCEMENT_JOB } from './enhancement-runs.store.ts'

describe.each(dialects)('enhancement on %s', (dialect) => {
  let rig: ReportRig
  let process: Process
  beforeEach(async () => {
    rig = await createReportRig(dialect)
    process = await rig.addProcess()
    rig.see(process, [seen(1), seen(2), seen(3, { classId: 3, className: 'car' })])
    rig.show(process, aTrackPicture(1), aTrackPicture(2), aTrackPicture(3), aTrackPicture(3, { role: 'crop', slot: 1 }))
    await rig.end(process)
  })
  afterEach(() => rig.remove())

  const start = (isAgain = false, account: Account = rig.account) =>
    rig.reports.enhancement.start(account, process.id, isAgain)
  const status = () => rig.reports.enhancement.status(rig.account, process.id)
  const run = (signal?: AbortSignal) => rig.runJobs(ENHANCEMENT_JOB, signal)
  const withLimit = (maxProcesses: number) => ({
    ...rig.account,
    limits: { ...rig.account.limits, maxProcesses },
  })
  async function enhanced() {
    const wanted = { boxes: false, places: false, patches: false }
    const { tracks } = await rig.reports.service.open(rig.account, process.id, { minutes: 10 }, wanted)
    const all = []
    for await (const track of tracks) all.push(track.enhanced)
    return all
  }

  test('every track is looked at once, and the report shows what was read', async () => {
    await expect(status()).rejects.toMatchObject({ code: 'enhancement-not-found' })
    expect(await enhanced()).toEqual([undefined, undefined, undefined])
    await start()
    expect(rig.woken).toEqual([ENHANCEMENT_JOB])
    expect(await status()).toMatchObject({ status: 'RUNNING', reason: null, done: 0, total: 3 })
    rig.worker.answer = ({ track }) => ({ ...nothingFound, vehicle_type: track.className === 'car' ? 'van' : null })
    await run()
    expect(await status()).toMatchObject({ status: 'FINISHED', done: 3, total: 3 })
    expect(await enhanced()).toEqual([nothingFound, nothingFound, { ...nothingFound, vehicle_type: 'van' }])
    const [last] = rig.worker.requests.slice(-1)
    expect(last!.track.pictures.map(({ role }) => role).sort()).toEqual(['crop', 'patch'])
    for (const { file } of last!.track.pictures) expect(file).toContain(rig.dataDir)
  })

  test('tracks are searched by colours and plate once the result is shown, and by those of the last one', async () => {
    const words = () => rig.database.db.selectFrom('track').select(['color', 'plate']).orderBy('track_id').execute()
    const named = (name: string) => ({ name, confidence: 0.9 })
    const unknown = { color: null, plate: null }
    await start()
    rig.worker.answer = ({ track }) =>
      track.className === 'car'
        ? { ...nothingFound, color: named('red'), plate: { text: 'MA17', confidence: 0.9 } }
        : { ...nothingFound, upper_color: named('blue'), lower_color: named('black') }
    expect(await words()).toEqual([unknown, unknown, unknown])
    await run()
    const clothes = { color: ' blue black ', plate: null }
    expect(await words()).toEqual([clothes, clothes, { color: ' red ', plate: 'MA17' }])
    await rig.clock.advance(1)
    await start(true)
    rig.worker.answer = () => nothingFound
    await run()
    expect(await words()).toEqual([unknown, unknown, unknown])
  })

  test('again while it runs or when it is done does nothing, unless it is to be redone', async () => {
    await start()
    await start(true)
    expect(await run()).toBe(1)
    await start()
    expect(await run()).toBe(0)
    expect(rig.worker.requests).toHaveLength(3)
    await rig.clock.advance(1)
    await start(true)
    expect(await status()).toMatchObject({ status: 'RUNNING', done: 0 })
    expect(await run()).toBe(1)
    expect(rig.worker.requests).toHaveLength(6)
  })

  test('what was interrupted goes on where it was', async () => {
    const stopping = new AbortController()
    await start()
    rig.worker.answer = () => {
      if (rig.worker.requests.length === 2) stopping.abort()
      return nothingFound
    }
    await expect(run(stopping.signal)).rejects.toThrow()
    expect(await status()).toMatchObject({ status: 'RUNNING' })
    const before = (await status()).done
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(3)
    // The lease of the runner that is gone is over.
    await rig.clock.advance(2_000)
    expect(await run()).toBe(1)
    expect(await status()).toMatchObject({ status: 'FINISHED', done: 3 })
  })

  test('a track that can’t be read fails alone', async () => {
    await start()
    rig.worker.answer = ({ request }) => (request === 2 ? 'fails' : nothingFound)
    await run()
    expect(await status()).toMatchObject({ status: 'FINISHED', done: 3 })
    // Its class is known without pictures.
    expect(await enhanced()).toEqual([nothingFound, { ...nothingFound, vehicle_type: 'person' }, nothingFound])
    expect(rig.logLines).toHaveLength(1)
    expect(JSON.parse(rig.logLines[0]!)).toMatchObject({ needed: 3, unread: 1, cause: '2-patch-0.jpg is damaged.' })
  })

  test('tracks that need no pictures say nothing of those that do', async () => {
    await start()
    rig.worker.answer = ({ track }) => (track.className === 'car' ? 'fails' : 'needs none')
    await run()
    expect(await status()).toMatchObject({ status: 'FAILED' })
    rig.worker.answer = () => 'needs none'
    await rig.clock.advance(1)
    await start()
    await run()
    expect(await status()).toMatchObject({ status: 'FINISHED' })
  })

  test('when nothing could be read it has failed, and may be tried again', async () => {
    await start()
    rig.worker.answer = () => 'fails'
    await run()
    expect(await status()).toMatchObject({
      status: 'FAILED',
      reason: 'None of the pictures in this report could be read. Of the first track: 1-patch-0.jpg is damaged.',
    })
    rig.worker.answer = () => nothingFound
    await rig.clock.advance(1)
    await start()
    await run()
    expect(await status()).toMatchObject({ status: 'FINISHED', reason: null })
  })

  test('a worker that dies is started again, but not for ever', async () => {
    await start()
    let deaths = 2
    rig.worker.answer = () => (deaths-- > 0 ? 'dies' : nothingFound)
    await run()
    expect(await status()).toMatchObject({ status: 'FINISHED' })

    await rig.clock.advance(1)
    await start(true)
    rig.worker.answer = () => 'dies'
    await run()
    expect(await status()).toMatchObject({
      status: 'FAILED',
      reason: expect.stringMatching(/crashed.*3 times/) as string,
    })
  })

  test('a worker that can’t start is told of at once', async () => {
    rig.worker.greeting = 'dies'
    await expect(start()).rejects.toMatchObject({ code: 'enhancement-unavailable', status: 503 })
    await expect(status()).rejects.toMatchObject({ code: 'enhancement-not-found' })
  })

  test('weights that are missing show with the first vehicle, and nothing half-done is shown', async () => {
    await start()
    rig.worker.answer = ({ track }) => (track.className === 'car' ? 'lacks weights' : nothingFound)
    await run()
    expect(await status()).toMatchObject({ status: 'FAILED', reason: 'The weights are missing.', done: 0 })
    expect(await enhanced()).toEqual([undefined, undefined, undefined])
  })

  test('the result before stays until the next is complete, and when that fails', async () => {
    const typed = (vehicle_type: string) => ({ ...nothingFound, vehicle_type })
    rig.worker.answer = () => typed('old')
    await start()
    await run()
    await rig.clock.advance(1)
    const stopping = new AbortController()
    rig.worker.answer = () => {
      stopping.abort()
      return typed('new')
    }
    await start(true)
    await expect(run(stopping.signal)).rejects.toThrow()
    expect(await enhanced()).toEqual([typed('old'), typed('old'), typed('old')])

    await rig.clock.advance(2_000)
    rig.worker.answer = ({ track }) => (track.className === 'car' ? 'lacks weights' : typed('new'))
    await run()
    expect(await status()).toMatchObject({ status: 'FAILED', done: 3 })
    expect(await enhanced()).toEqual([typed('old'), typed('old'), typed('old')])

    rig.worker.answer = () => typed('new')
    await rig.clock.advance(1)
    await start()
    await run()
    expect(await enhanced()).toEqual([typed('new'), typed('new'), typed('new')])
  })

  test('a long report lets others have their turn', async () => {
    const long = await rig.addProcess()
    rig.see(
      long,
      Array.from({ length: 45 }, (_, index) => seen(index + 1)),
    )
    await rig.end(long)
    await rig.reports.enhancement.start(rig.account, long.id, false)
    await rig.clock.advance(1)
    await start()
    const longStatus = () => rig.reports.enhancement.status(rig.account, long.id)
    await run()
    expect(await longStatus()).toMatchObject({ status: 'RUNNING', done: 20, total: 45 })
    expect(await status()).toMatchObject({ status: 'FINISHED' })
    await run()
    await run()
    expect(await longStatus()).toMatchObject({ status: 'FINISHED', done: 45 })
  })

  test('who may not is told so before a worker is started', async () => {
    await rig.addProcess()
    rig.worker.greeting = 'dies'
    await expect(start(false, withLimit(1))).rejects.toMatchObject({ code: 'process-limit-reached', status: 403 })
    expect(rig.worker.launches).toBe(0)
  })

  test('nothing goes on for a key that is gone', async () => {
    await start()
    rig.takeKey()
    await run()
    expect(await status()).toMatchObject({ status: 'FAILED', reason: expect.stringContaining('revoked') as string })
    expect(rig.worker.requests).toEqual([])
  })

  test('a report that is deleted meanwhile ends it quietly', async () => {
    await start()
    let removed: Promise<void> | undefined
    rig.worker.answer = () => {
      removed ??= rig.reports.service.remove(rig.account, process.id)
      return nothingFound
    }
    expect(await run()).toBe(1)
    await removed
    await expect(status()).rejects.toMatchObject({ code: 'report-not-found' })
    expect(await run()).toBe(0)
  })

  test('a process that goes on, a report of somebody else, a key that may not', async () => {
    const live = await rig.addProcess()
    const { enhancement } = rig.reports
    await expect(enhancement.start(rig.account, live.id, false)).rejects.toMatchObject({ code: 'process-not-ended' })
    await expect(start(false, { ...rig.account, id: 'somebody' })).rejects.toMatchObject({ code: 'report-not-found' })
    const features = { ...rig.account.features, enhancement: false }
    await expect(start(false, { ...rig.account, features })).rejects.toMatchObject({ code: 'enhancement-disabled' })
  })

  test('it takes a process slot while it runs, and needs minutes', async () => {
    await rig.addProcess()
    await expect(start(false, withLimit(1))).rejects.toMatchObject({ code: 'process-limit-reached', status: 403 })
    await start(false, withLimit(2))
    const next = aProcess({ accountId: rig.account.id })
    const processes = createProcessStore(rig.database.db)
    expect(await processes.insertWithinLimits(withLimit(2), next)).toBe('process-limit-reached')
    await run()
    expect(await processes.insertWithinLimits(withLimit(2), next)).toBe('inserted')

    await rig.database.db.updateTable('account').set({ remaining_seconds: 0 }).execute()
    await expect(start(true)).rejects.toMatchObject({ code: 'usage-limit-reached', status: 403 })
  })

  test('a report without tracks is finished at once', async () => {
    const empty = await rig.addProcess()
    await rig.end(empty)
    await rig.reports.enhancement.start(rig.account, empty.id, false)
    await run()
    expect(await rig.reports.enhancement.status(rig.account, empty.id)).toMatchObject({
      status: 'FINISHED',
      total: 0,
    })
  })
})
