import { beforeEach, expect, test } from 'vitest'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { createUnconfirmedBytes, MAX_UNCONFIRMED_BYTES, type UnconfirmedBytes } from './unconfirmed-bytes.ts'

let pings: Deferred<void>[]
let unconfirmed: UnconfirmedBytes
beforeEach(() => {
  pings = []
  unconfirmed = createUnconfirmedBytes(() => {
    const ping = createDeferred()
    pings.push(ping)
    return ping.promise
  })
  unconfirmed.open()
})

const pong = async (index: number) => {
  pings[index]!.resolve()
  await pings[index]!.promise
}
const MEGABYTE = 1024 * 1024

test('small messages are not asked about', () => {
  for (let i = 0; i < 100; i++) expect(unconfirmed.add(1_000)).toBe(true)
  expect(pings).toHaveLength(0)
})

test('one ping at a time asks about all that was sent before it', async () => {
  for (let i = 0; i < 3; i++) unconfirmed.add(MEGABYTE)
  expect(pings).toHaveLength(1)
  await pong(0)
  // The first megabyte alone was before the ping.
  expect(pings).toHaveLength(2)
  await pong(1)
  expect(pings).toHaveLength(2)
})

test('a server that reads nothing is sent no more than the bound', () => {
  let sent = 0
  while (unconfirmed.add(MEGABYTE)) sent += MEGABYTE
  expect(sent).toBe(MAX_UNCONFIRMED_BYTES)
})

test('who can wait waits earlier, until the server has read again', async () => {
  for (let i = 0; i < 5; i++) unconfirmed.add(MEGABYTE)
  const room = unconfirmed.whenRoom()
  expect(room).toBeDefined()
  expect(unconfirmed.add(1_000)).toBe(true)
  await pong(0)
  await pong(1)
  await room
  expect(unconfirmed.whenRoom()).toBeUndefined()
})

test('without a connection nothing is taken, and a new one owes nothing', async () => {
  while (unconfirmed.add(MEGABYTE));
  unconfirmed.shut()
  expect(unconfirmed.add(1)).toBe(false)
  const room = unconfirmed.whenRoom()
  pings[0]!.reject(new Error('disconnected'))
  unconfirmed.open()
  await room
  expect(unconfirmed.add(MEGABYTE)).toBe(true)
  expect(pings).toHaveLength(2)
})

test('a late answer of a connection that is gone counts for nothing', async () => {
  unconfirmed.add(MEGABYTE)
  unconfirmed.shut()
  unconfirmed.open()
  unconfirmed.add(2 * MEGABYTE)
  await pong(0)
  for (let i = 0; i < 6; i++) expect(unconfirmed.add(MEGABYTE)).toBe(true)
  expect(unconfirmed.add(1)).toBe(false)
})
