import { existsSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { createDeferred } from '../core/deferred.ts'
import { DatabaseAway } from '../core/outages.ts'
import { createLog } from '../observe/log.ts'
import { createEventPictureFiles, type EventPictureFiles, eventPictureFile } from './event-picture-files.ts'

const folder = useTemporaryFolder('aerie-events-')
const event = { id: 'e', process_id: 'p', account_id: 'bob' }
const file = 'events/p/e.jpg'
const base64 = Buffer.from('jpeg').toString('base64')

let clock: FakeClock
let lines: string[]
let hasRoom: boolean
/** What the database has of the event. */
let stored: () => Promise<{ file: string | null } | undefined>
let pictures: EventPictureFiles
beforeEach(() => {
  clock = createFakeClock()
  lines = []
  hasRoom = true
  stored = async () => undefined
  pictures = createEventPictureFiles({
    dataDir: folder(),
    store: { find: () => stored() as never },
    places: diskOnly(folder()),
    room: { hasRoom: async () => hasRoom },
    clock,
    log: createLog({ level: 'warn', write: (line) => void lines.push(line) }),
  })
})

const written = () => readFileSync(join(folder(), file), 'utf8')

test('a picture is written whole when it comes, and only of an event that it was expected of', async () => {
  const picture = createDeferred<string | null>()
  pictures.expect('e', picture.promise)
  const writing = pictures.write(event)
  picture.resolve(base64)
  expect(await writing).toEqual({ file, sizeBytes: 4 })
  expect(written()).toBe('jpeg')
  expect(existsSync(join(folder(), `${file}.partial`))).toBe(false)
  expect(await pictures.write({ ...event, id: 'other' })).toBeUndefined()
  expect(eventPictureFile(event)).toBe(file)
})

test.each([
  { name: 'none came', expect: null, room: true, isForgotten: false },
  { name: 'there is no room', expect: base64, room: false, isForgotten: false },
  { name: 'the event is removed meanwhile', expect: base64, room: true, isForgotten: true },
])('nothing is written where $name', async ({ expect: picture, room, isForgotten }) => {
  hasRoom = room
  pictures.expect('e', Promise.resolve(picture))
  const writing = pictures.write(event)
  if (isForgotten) pictures.forget(['e'])
  expect(await writing).toBeUndefined()
  expect(existsSync(join(folder(), 'events'))).toBe(false)
})

test('who ends waits for no picture', async () => {
  pictures.expect('e', new Promise(() => {}))
  const writing = pictures.write(event)
  pictures.giveUp()
  expect(await writing).toBeUndefined()
})

test('one that cannot be written is logged, and the event goes on without', async () => {
  await writeFile(join(folder(), 'events'), 'in the way')
  pictures.expect('e', Promise.resolve(base64))
  expect(await pictures.write(event)).toBeUndefined()
  expect(lines).toEqual([expect.stringContaining('could not be written')])
})

test('who sends it on gets it as soon as it is written, and waits no longer than it says', async () => {
  const picture = createDeferred<string | null>()
  pictures.expect('e', picture.promise)
  const read = pictures.read('e', { waitMs: 3_000 })
  const impatient = pictures.read('e', { waitMs: 100 })
  await clock.advance(100)
  expect(await impatient).toBeUndefined()
  picture.resolve(base64)
  await pictures.write(event)
  expect(String(await read)).toBe('jpeg')
})

test('one of before is found by its row; without a row, a file, or a database there is none', async () => {
  pictures.expect('e', Promise.resolve(base64))
  await pictures.write(event)
  pictures.forget(['e'])
  const read = () => pictures.read('e', { waitMs: 0 })
  expect(await read()).toBeUndefined()
  stored = async () => ({ file: null })
  expect(await read()).toBeUndefined()
  stored = async () => ({ file })
  expect(String(await read())).toBe('jpeg')
  stored = () => Promise.reject(new DatabaseAway(new Error('locked')))
  expect(await read()).toBeUndefined()
  stored = () => Promise.reject(new Error('a fault of ours'))
  await expect(read()).rejects.toThrow('a fault of ours')
  stored = async () => ({ file })
  rmSync(join(folder(), file))
  expect(await read()).toBeUndefined()
})

test('what was written a moment ago needs no database', async () => {
  pictures.expect('e', Promise.resolve(base64))
  await pictures.write(event)
  stored = () => Promise.reject(new Error('nobody asks'))
  expect(String(await pictures.read('e', { waitMs: 0 }))).toBe('jpeg')
})

test('of more than can be held the oldest are given up', async () => {
  for (let index = 0; index <= 500; index++) pictures.expect(`e${index}`, Promise.resolve(base64))
  expect(await pictures.write({ ...event, id: 'e0' })).toBeUndefined()
  expect(await pictures.write({ ...event, id: 'e500' })).toBeDefined()
})
