import { beforeEach, expect, test } from 'vitest'
import { aContact, aJpeg } from '../../test/builders/letters.ts'
import { anOutboundMessage } from '../../test/builders/outbound-message.ts'
import { type Contact, type ContactTurns, type SentOutcome, type TurnRequest } from '../core/contact.ts'
import { type OutboundMessage, sumId } from '../core/outbound-message.ts'
import { createLog } from '../observe/log.ts'
import { createContactSender } from './contact-sender.ts'
import { type LetterSender, type Sending } from './letter-sender.ts'
import { NotDelivered } from './message.ts'

let contact: Contact | undefined
let turn: 'send' | 'held'
let asked: TurnRequest[]
let notes: SentOutcome[]
let sent: Sending[]
let failure: Error | undefined
/** On those of several who do not have it. */
let without: string | null
let isNoteLost: boolean
beforeEach(() => {
  contact = aContact('ntfy', { server: 'https://ntfy.sh', topic: 'yard' })
  turn = 'send'
  ;[asked, notes, sent] = [[], [], []]
  failure = undefined
  without = null
  isNoteLost = false
})

const contacts: ContactTurns = {
  find: async () => contact,
  async takeTurn(request) {
    asked.push(request)
    return turn
  },
  async noteSent(_id, outcome) {
    if (isNoteLost) throw new Error('the database is away')
    notes.push(outcome)
  },
  removeDevice: async () => {},
}
const take: LetterSender = {
  async send(_contact, sending) {
    if (failure) throw failure
    sent.push(sending)
    return without
  },
}
const sender = createContactSender({
  contacts,
  pictures: { read: async (eventId) => (eventId === 'event' ? aJpeg : undefined) },
  types: { email: take, ntfy: take, telegram: take, webpush: take },
  clock: { now: () => 1_000 },
  log: createLog({ level: 'silent' }),
})

const notification = (change: object = {}) =>
  JSON.stringify({ alias: 'fence', source_alias: 'gate', event: 'found', event_uuid: 'event', data: {}, ...change })
const send = (change: Partial<OutboundMessage> = {}) =>
  sender.send(
    anOutboundMessage('m1', {
      destination: { kind: 'contact', contactId: 'contact' },
      processId: 'p',
      body: notification(),
      ...change,
    }),
  )

test('a message that has its turn goes with its picture, and that it went is noted', async () => {
  await send()
  expect(asked).toEqual([
    { contactId: 'contact', messageId: 'm1', label: 'fence (gate)', processId: 'p', nowMs: 1_000 },
  ])
  expect(sent).toMatchObject([{ id: 'm1', picture: aJpeg, letter: { title: 'fence · gate' } }])
  expect(notes).toEqual([{ hasArrived: true, problem: null }])
})

test('who of several does not have it is noted, and it is sent no second time', async () => {
  without = 'mail.example.org refuses b@example.org (550).'
  await send()
  expect(notes).toEqual([{ hasArrived: true, problem: without }])
  expect(await sender.sendTest(contact!)).toBe(without)
})

test('an event without a picture goes without', async () => {
  await send({ body: notification({ event_uuid: 'another' }) })
  expect(sent[0]!.picture).toBeUndefined()
})

test('one that is held back is settled, and not sent', async () => {
  turn = 'held'
  await send()
  expect([sent, notes]).toEqual([[], []])
})

test('a sum asks for no turn', async () => {
  turn = 'held'
  const contact_sum = { count: 2, fromMs: 0, labels: { fence: 2 }, others: 0 }
  await send({ id: sumId('contact', 1), body: JSON.stringify({ contact_sum }) })
  expect(asked).toEqual([])
  expect(sent).toMatchObject([{ letter: { title: '2 more since 00:00' } }])
})

test('where a track is from moment to moment is neither sent nor counted', async () => {
  await send({ body: notification({ event: 'update' }) })
  expect([asked, sent]).toEqual([[], []])
})

test.each<[string, () => Contact | undefined]>([
  ['that is gone', () => undefined],
  ['of another key', () => ({ ...contact!, accountId: 'somebody' })],
])('a contact %s is not notified', async (_name, found) => {
  contact = found()
  await send()
  expect([asked, sent]).toEqual([[], []])
})

test('what fails is noted, and fails', async () => {
  failure = new NotDelivered('It is away.', { retryAfterMs: 5 })
  await expect(send()).rejects.toBe(failure)
  expect(notes).toEqual([{ hasArrived: false, problem: 'It is away.' }])
})

test('what was sent is not sent again because that could not be noted', async () => {
  isNoteLost = true
  await send()
  expect(sent).toHaveLength(1)
})

test('a test goes at once, without a turn', async () => {
  turn = 'held'
  await sender.sendTest(contact!)
  expect([asked, notes]).toEqual([[], []])
  expect(sent).toMatchObject([{ letter: { title: 'Test · phone' } }])
})
