import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anOutboundMessage } from '../../test/builders/outbound-message.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { systemClock } from '../core/clock.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { createLog } from '../observe/log.ts'
import { createIntake, type Intake } from './intake.ts'
import { createSpool, type Spool } from './spool.ts'

const folder = useTemporaryFolder('aerie-intake-')
const log = createLog({ level: 'silent' })
const closing = new AbortController()
let spool: Spool
let intake: Intake
/** What the database was asked to write and has not answered, by id. */
let asked: Map<string, Deferred<void>>

beforeEach(async () => {
  asked = new Map()
  spool = createSpool({ path: join(folder(), 'delivery.spool'), clock: systemClock, log })
  await spool.fill()
  const insert = ({ id }: { readonly id: string }) => {
    const answer = createDeferred()
    asked.set(id, answer)
    return answer.promise
  }
  intake = createIntake({ writer: { insert }, spool, clock: systemClock, log, closing: closing.signal })
})
afterEach(() => spool.close())

const take = (id: string) => intake.take(anOutboundMessage(id))

test('a channel is flushed when what it had by then is taken, though more comes all the time', async () => {
  const first = take('1')
  const flushed = intake.flush()
  const second = take('2')
  asked.get('1')!.resolve()
  await Promise.all([first, flushed])
  expect(intake.countIn('a')).toBe(1)
  asked.get('2')!.resolve()
  await second
  await intake.whenTaken('a', closing.signal)
  expect(intake.countIn('a')).toBe(0)
})

test('one channel is flushed though another has something that the database does not take', async () => {
  void take('1')
  void intake.take(anOutboundMessage('2', { channel: 'b' }))
  const flushed = intake.flush('b')
  asked.get('2')!.resolve()
  await flushed
  expect([intake.countIn('a'), intake.countIn('b')]).toEqual([1, 0])
  asked.get('1')!.resolve()
  await intake.flush('a')
})

test('what neither the database nor the spool takes is not waited for', async () => {
  await spool.close()
  const refused = take('1')
  asked.get('1')!.reject(new Error('away'))
  await expect(refused).rejects.toThrow('away')
  expect(intake.countIn('a')).toBe(0)
  await intake.flush()
})
