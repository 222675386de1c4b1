import { type Contact, type ContactChannel } from '../../src/core/contact.ts'
import { type Letter } from '../../src/core/letter.ts'
import { type Sending } from '../../src/delivery/letter-sender.ts'

/** Every byte that there is, as any picture may have them. */
export const aJpeg = Buffer.from(Array.from({ length: 1024 }, (_, n) => n % 256))

export const aLetter: Letter = {
  title: 'Jemand am Zaun · Tor · “früh”',
  text: '2 × person\n03:03 – Ümlaut',
  eventId: 'event',
  pictureUrl: 'https://aerie.example.org/picture',
  clipUrl: 'https://aerie.example.org/clip',
}

export const aSending = (change: Partial<Sending> = {}): Sending => ({
  id: 'message',
  letter: aLetter,
  picture: undefined,
  signal: new AbortController().signal,
  ...change,
})

type OfType<Type extends Contact['type']> = Contact & { readonly type: Type }

export function aContact<Type extends Contact['type']>(
  type: Type,
  config: Extract<ContactChannel, { readonly type: Type }>['config'],
  change: Partial<Contact> = {},
): OfType<Type> {
  const facts = { id: 'contact', accountId: 'account', alias: 'phone', quietHours: null, maxPerMinute: 6, devices: [] }
  return { ...facts, ...change, type, config } as OfType<Type>
}
