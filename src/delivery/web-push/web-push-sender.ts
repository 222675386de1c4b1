import { type Clock } from '../../core/clock.ts'
import { type ContactTurns, type PushDevice } from '../../core/contact.ts'
import { type Letter } from '../../core/letter.ts'
import { shortened } from '../../core/sentences.ts'
import { PRODUCT } from '../../core/version.ts'
import { type HttpCaller } from '../http-call.ts'
import { type LetterSender, type Sending } from '../letter-sender.ts'
import { NotDelivered } from '../message.ts'
import { retryAfterMs } from '../retry-after.ts'
import { encryptPush } from './encrypt.ts'
import { type Vapid } from './vapid.ts'

export interface WebPushSenderDeps {
  readonly http: HttpCaller
  readonly contacts: Pick<ContactTurns, 'removeDevice'>
  readonly vapid: Vapid
  readonly clock: Pick<Clock, 'now'>
}

/** Services take 4096 bytes of what is encrypted; that is 103 more than this. */
const MAX_TEXT_BYTES = 3_500
const MAX_TEXT_LENGTH = 400
/** How long a service keeps it for a browser that is off. */
const KEEP_SECONDS = 24 * 3_600

/** Sends letters to browsers, by the services of their makers (RFC 8030), which cannot read them. */
export function createWebPushSender({ http, contacts, vapid, clock }: WebPushSenderDeps): LetterSender<'webpush'> {
  async function push(
    device: PushDevice,
    accountId: string,
    { letter, id, signal }: Sending,
  ): Promise<'sent' | 'gone'> {
    const url = new URL(device.endpoint)
    const answer = await http.post({
      url,
      accountId,
      headers: {
        authorization: vapid.authorization(url, clock.now()),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(KEEP_SECONDS),
        urgency: 'high',
        'user-agent': PRODUCT,
      },
      body: encryptPush(toPayload(letter, id), device.keys),
      signal,
    })
    const { status, headers } = answer
    if (status >= 200 && status <= 299) return 'sent'
    // It was taken away in the browser, or the browser is no more (RFC 8030 §7.3).
    if (status === 404 || status === 410) {
      await contacts.removeDevice(device.id)
      return 'gone'
    }
    const asked = { retryAfterMs: retryAfterMs(headers['retry-after'], clock.now()) }
    throw new NotDelivered(`${url.host} answered ${status}.`, asked)
  }

  return {
    async send({ accountId, devices }, sending) {
      const outcomes = await Promise.allSettled(devices.map((device) => push(device, accountId, sending)))
      const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []))
      // Who has it would have it twice: it is tried again only where nobody has it.
      if (outcomes.some((one) => one.status === 'fulfilled' && one.value === 'sent'))
        return failures[0]
          ? `${failures.length} of ${devices.length} browsers do not have it: ${failures[0].message}`
          : null
      throw (
        failures[0] ?? new NotDelivered('No browser is registered for it; open the page Contacts in one, and add it.')
      )
    },
  }
}

/** What the service worker of the console shows. A tag that is known replaces what is shown under it. */
function toPayload({ title, text, pictureUrl, clipUrl, eventId }: Letter, id: string): Buffer {
  const payload = { title, text: shortened(text, MAX_TEXT_LENGTH), image: pictureUrl, url: clipUrl, tag: eventId ?? id }
  const bytes = Buffer.from(JSON.stringify(payload))
  // Links of a service with a very long name.
  return bytes.length <= MAX_TEXT_BYTES ? bytes : Buffer.from(JSON.stringify({ ...payload, image: null, url: null }))
}
