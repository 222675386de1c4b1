import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { aBrief, aTrackPicture, sceneOf, seen } from '../../test/builders/report.ts'
import { createDeferred } from '../core/deferred.ts'
import { createLog } from '../observe/log.ts'
import { type Collector, createCollector } from './collector.ts'
import { type PictureBatch } from './picture-writer.ts'
import { type SceneBatch } from './tracks.store.ts'

let clock: FakeClock
let collector: Collector
let written: SceneBatch[][]
let kept: PictureBatch[][]
let keep: (batches: readonly PictureBatch[]) => Promise<void>
let write: (batches: readonly SceneBatch[]) => Promise<void>
let logLines: string[]
beforeEach(() => {
  clock = createFakeClock(5_000)
  written = []
  kept = []
  logLines = []
  write = async (batches) => void written.push([...batches])
  keep = async (batches) => void (batches.length > 0 && kept.push([...batches]))
  collector = createCollector({
    tracks: { write: (batches) => write(batches) },
    pictures: { keep: (batches) => keep(batches) },
    clock,
    log: createLog({ level: 'debug', write: (line) => void logLines.push(line) }),
  })
})
afterEach(() => collector.close())

const see = (processId: string, ...ids: number[]) =>
  collector.onScene({
    process: aBrief(processId),
    scene: sceneOf(
      1_000,
      ids.map((id) => seen(id)),
    ),
  })

test('what is seen is written every two seconds, all processes together', async () => {
  see('one', 1)
  see('two', 1, 2)
  see('one', 1)
  expect(written).toEqual([])
  await clock.advance(2_000)
  expect(written).toMatchObject([
    [
      { processId: 'one', scenes: { length: 2 }, lastFrame: { takenAt: 1_000, heardAt: 5_000 } },
      { processId: 'two', scenes: { length: 1 } },
    ],
  ])
  await clock.advance(2_000)
  expect(written).toHaveLength(1)
})

test('nothing is kept of a process without a report', async () => {
  const process = aBrief('one', false)
  collector.onScene({ process, scene: sceneOf(0, [seen(1)]) })
  collector.onPictures({ process, pictures: [aTrackPicture(1)] })
  await collector.flush()
  expect([...written, ...kept]).toEqual([])
})

test('what could not be written is written with what came after it', async () => {
  const works = write
  write = () => Promise.reject(new Error('no database'))
  see('one', 1)
  collector.onPictures({ process: aBrief('one'), pictures: [aTrackPicture(1)] })
  await expect(collector.flush()).rejects.toThrow('no database')
  write = works
  see('one', 2)
  await collector.flush()
  expect(written).toMatchObject([[{ scenes: [{ tracks: [{ id: 1 }] }, { tracks: [{ id: 2 }] }] }]])
  expect(kept).toMatchObject([[{ pictures: [{ trackId: 1 }] }]])
})

test('of each picture only the newest is written', async () => {
  const pictures = [
    aTrackPicture(1, { quality: 1 }),
    aTrackPicture(1, { quality: 2 }),
    aTrackPicture(1, { role: 'crop', slot: 2 }),
  ]
  collector.onPictures({ process: aBrief('one'), pictures })
  await collector.flush()
  expect(kept).toMatchObject([[{ processId: 'one', pictures: [{ role: 'patch', quality: 2 }, { role: 'crop' }] }]])
})

test('pictures that can’t be kept take nothing with them', async () => {
  keep = () => Promise.reject(new Error('no space left'))
  see('one', 1)
  collector.onPictures({ process: aBrief('one'), pictures: [aTrackPicture(1)] })
  await collector.flush()
  expect(written).toHaveLength(1)
  expect(logLines.join()).toContain('no space left')
})

test('removing waits for what is being written, and forgets what is not', async () => {
  const writing = createDeferred()
  const works = write
  write = async (batches) => {
    await writing.promise
    await works(batches)
  }
  see('one', 1)
  const flushed = collector.flush()
  // Lets the write begin.
  await Promise.resolve()
  see('one', 2)
  const order: string[] = []
  const removed = collector.without('one', async () => void order.push(`removed after ${written.length} writes`))
  writing.resolve()
  await Promise.all([flushed, removed])
  expect(order).toEqual(['removed after 1 writes'])
  await collector.flush()
  expect(written).toHaveLength(1)
})

test('while nothing can be written, memory stays bounded', async () => {
  write = () => Promise.reject(new Error('no database'))
  const crowd = Array.from({ length: 999 }, (_, index) => index + 1)
  for (let frame = 0; frame < 300; frame++) see('one', ...crowd)
  await expect(collector.flush()).rejects.toThrow()
  write = async (batches) => void written.push([...batches])
  await collector.flush()
  expect(written[0]![0]!.scenes).toHaveLength(100)
  expect(logLines.join()).toContain('"lost":199800')
})

test('one process that can’t be written holds nobody else up, and is let go of after a while', async () => {
  const works = write
  write = (batches) =>
    batches.some(({ processId }) => processId === 'bad') ? Promise.reject(new Error('bad name')) : works(batches)
  for (let time = 0; time < 6; time++) {
    see('bad', time + 1)
    see('good', time + 1)
    collector.onPictures({ process: aBrief('good'), pictures: [aTrackPicture(time + 1)] })
    const flushed = collector.flush()
    if (time < 4) await expect(flushed).rejects.toThrow('bad name')
    else await flushed.catch(() => {})
    expect(written).toHaveLength(time + 1)
    expect(kept).toHaveLength(time + 1)
  }
  expect(logLines.join()).toMatch(/"process_uuid":"bad","frames":5/)
  write = works
  await collector.flush()
  expect(written.at(-1)).toMatchObject([{ processId: 'bad', scenes: [{ tracks: [{ id: 6 }] }] }])
})

test('one process that can’t be written leaves room for the others', async () => {
  const works = write
  write = () => Promise.reject(new Error('no database'))
  const crowd = Array.from({ length: 999 }, (_, index) => index + 1)
  for (let frame = 0; frame < 201; frame++) see('bad', ...crowd)
  see('good', 1)
  write = works
  await collector.flush({ processId: 'good' })
  expect(written).toMatchObject([[{ processId: 'good', scenes: { length: 1 } }]])
})

test('closing writes what has come last', async () => {
  see('one', 1)
  await collector.close()
  expect(written).toHaveLength(1)
})

test('who asks for the tracks of an account makes only those be written', async () => {
  see('one', 1)
  await collector.flush({ accountId: 'somebody' })
  expect(written).toEqual([])
  await collector.flush({ accountId: 'account' })
  expect(written).toMatchObject([[{ processId: 'one' }]])
})

test('who asks for one report makes only that be written', async () => {
  see('one', 1)
  see('other', 2)
  await collector.flush({ processId: 'one' })
  expect(written).toMatchObject([[{ processId: 'one' }]])
  await collector.flush()
  expect(written).toMatchObject([[{ processId: 'one' }], [{ processId: 'other' }]])
})
