import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { until } from '../../test/support/until.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { DatabaseAway, isDatabaseAway } from '../core/outages.ts'
import { createLog } from '../observe/log.ts'
import { createSpooledWriter, type DrainedWriter } from './spooled-writer.ts'
import { createSpool, type Spool } from './spool.ts'

const MB = 2 ** 20
/** Waits are a tenth of what they are. */
const hastyClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 10, signal) }
const folder = useTemporaryFolder('aerie-spooled-writer-')
const away = () => Promise.reject(new DatabaseAway(new Error('gone')))

let spool: Spool
let closing: AbortController
let lines: string[]
/** What the database has, in the order in which it came. */
let saved: string[]
let lost: string[]
/** How often the spool was asked to take something. */
let puts: number
/** What the database does with what it is asked to write; takes it by default. */
let answer: (texts: readonly string[]) => Promise<void>
let writer: DrainedWriter<string>
const others: Spool[] = []

async function openSpool(): Promise<Spool> {
  const log = createLog({ level: 'silent' })
  const path = join(folder(), 'delivery.spool')
  const one = createSpool({ path, clock: hastyClock, log, freeBytesOn: () => 8 * MB })
  others.push(one)
  await one.open()
  return one
}

const createWriter = (on: Spool) =>
  createSpooledWriter<string>(
    {
      kind: 'text',
      async save(entries) {
        const texts = [...entries].map(([key, text]) => `${key} ${text}`)
        await answer(texts)
        saved.push(...texts)
      },
      onLost: (text) => void lost.push(text),
    },
    {
      spool: { ...on, put: (...put) => ((puts += 1), on.put(...put)) },
      clock: hastyClock,
      log: createLog({ level: 'error', write: (line) => void lines.push(line) }),
      closing: closing.signal,
    },
  )

beforeEach(async () => {
  ;[lines, saved, lost, puts] = [[], [], [], 0]
  closing = new AbortController()
  answer = async () => {}
  spool = await openSpool()
  await spool.fill()
  writer = createWriter(spool)
})
afterEach(async () => {
  closing.abort()
  await Promise.all(others.splice(0).map((one) => one.close()))
})

const write = (key: string, text = '', owner = 'one') => writer.write(new Map([[key, text]]), () => owner)
const drained = () => until(async () => spool.countOf('text') === 0)
const onDisk = async () => [
  ...createWriter(await openSpool())
    .waiting()
    .keys(),
]

test('a database that answers is all there is', async () => {
  await write('1')
  expect([saved, await onDisk()]).toEqual([['1 '], []])
})

test('what a database that is away does not take is on disk, and follows in order when it is back', async () => {
  answer = away
  for (const key of ['1', '2', '3']) await write(key)
  expect([saved, await onDisk()]).toEqual([[], ['1', '2', '3']])
  answer = async () => {}
  await write('4')
  await drained()
  expect(saved).toEqual(['1 ', '2 ', '3 ', '4 '])
  expect(await onDisk()).toEqual([])
  await write('5')
  expect(saved.at(-1)).toBe('5 ')
})

test('what a database that hangs has not answered is on disk too; nothing newer goes there before it answers', async () => {
  const hanging: Deferred<void>[] = []
  answer = () => {
    const wait = createDeferred()
    hanging.push(wait)
    return wait.promise
  }
  await write('1', 'old')
  await write('1', 'new')
  expect([hanging.length, await onDisk()]).toEqual([1, ['1']])
  answer = async () => {}
  hanging[0]!.resolve()
  await drained()
  expect(saved).toEqual(['1 old', '1 new'])
})

test('what was killed meanwhile is known to the next start, which writes it', async () => {
  answer = away
  await write('1', 'old')
  await write('1', 'new')
  closing.abort()
  closing = new AbortController()
  answer = async () => {}
  const next = createWriter(await openSpool())
  expect(next.waiting()).toEqual(new Map([['1', 'new']]))
  next.start()
  await until(async () => saved.length > 0)
  expect(saved).toEqual(['1 new'])
})

test('what the spool has no room for waits for the database', async () => {
  const hanging = createDeferred()
  answer = () => hanging.promise
  let isWritten = false
  const written = write('1', 'x'.repeat(MB)).then(() => (isWritten = true))
  // Nor has it room for what comes behind, though that is small: it would be there first.
  const behind = write('2').then(() => (isWritten = true))
  await until(async () => puts > 0)
  expect(isWritten).toBe(false)
  hanging.resolve()
  await Promise.all([written, behind])
  expect(await onDisk()).toEqual([])
})

test('and is refused when that is away; with room again all is taken', async () => {
  answer = away
  await write('1')
  await expect(write('2', 'x'.repeat(MB))).rejects.toThrow('spool has no room')
  await expect(write('3')).rejects.toThrow('spool is full')
  answer = async () => {}
  await drained()
  await write('3')
  expect(saved).toEqual(['1 ', '3 '])
})

test('what one account has too much of keeps out nothing of another, also of what is written together', async () => {
  answer = away
  await write('1')
  const owners = new Map([['2', 'one'], ['3', 'other']]) // prettier-ignore
  const together = new Map([['2', 'x'.repeat(MB)], ['3', '']]) // prettier-ignore
  await expect(writer.write(together, (key) => owners.get(key)!)).rejects.toThrow('spool has no room')
  await write('4', '', 'other')
  await expect(write('5')).rejects.toSatisfy(isDatabaseAway)
  expect(await onDisk()).toEqual(['1', '3', '4'])
})

test('one that the database refuses holds up nothing else, and that is logged', async () => {
  answer = away
  for (const key of ['1', '2', '3']) await write(key, `of ${key}`)
  answer = async (texts) => {
    if (texts.some((text) => text.startsWith('2'))) throw new Error('invalid input syntax')
  }
  await drained()
  expect([saved, lost]).toEqual([['1 of 1', '3 of 3'], ['of 2']])
  expect(lines.join()).toContain('invalid input syntax')
})

test('one that the database refuses for a moment only is ahead of the others still', async () => {
  answer = away
  for (const key of ['1', '2', '3']) await write(key)
  let refusals = 0
  answer = async (texts) => {
    if (texts.some((text) => text.startsWith('1')) && refusals++ < 3) throw new Error('deadlock detected')
  }
  await drained()
  expect([saved, lost]).toEqual([['1 ', '2 ', '3 '], []])
})

test('while the database refuses everything, nothing is given up', async () => {
  let tries = 0
  answer = async () => {
    tries += 1
    throw new Error('read-only transaction')
  }
  for (const key of ['1', '2', '3']) await write(key)
  await until(async () => tries > 10)
  expect(await onDisk()).toEqual(['1', '2', '3'])
  answer = async () => {}
  await drained()
  expect([saved, lost]).toEqual([['1 ', '2 ', '3 '], []])
})
