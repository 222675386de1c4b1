import { type Clock } from '../core/clock.ts'
import { type NtfyConfig } from '../core/contact.ts'
import { type Letter } from '../core/letter.ts'
import { PRODUCT } from '../core/version.ts'
import { type HttpAnswer, type HttpCaller } from './http-call.ts'
import { type LetterSender } from './letter-sender.ts'
import { NotDelivered } from './message.ts'
import { retryAfterMs } from './retry-after.ts'

export interface NtfySenderDeps {
  readonly http: HttpCaller
  readonly clock: Pick<Clock, 'now'>
}

/** A server that keeps no attachments, or none as large, says one of these; the message itself it takes. */
const NO_ATTACHMENT: readonly number[] = [400, 413]

/** Publishes to a topic of an ntfy server, with the picture as attachment. Nothing is followed: the topic may be a secret. */
export function createNtfySender({ http, clock }: NtfySenderDeps): LetterSender<'ntfy'> {
  return {
    async send({ accountId, config }, { letter, picture, signal }) {
      const call = { url: new URL(`/${config.topic}`, config.server), accountId, signal }
      const headers = headersOf(config, letter)
      const withText = () => http.post({ ...call, headers, body: letter.text })
      const withPicture = (jpeg: Buffer) =>
        http.post({
          ...call,
          method: 'PUT',
          // A line break cannot stand in a header: the server makes one of `\n`.
          headers: { ...headers, filename: 'picture.jpg', message: encoded(letter.text.replaceAll('\n', '\\n')) },
          body: jpeg,
        })
      let answer = picture ? await withPicture(picture) : await withText()
      if (picture && NO_ATTACHMENT.includes(answer.status)) answer = await withText()
      if (answer.status < 200 || answer.status > 299) throw refusal(call.url.host, answer, clock.now())
      return null
    },
  }
}

function headersOf(config: NtfyConfig, { title, clipUrl, pictureUrl }: Letter): Record<string, string> {
  const { token, username, password, priority } = config
  const click = clipUrl ?? pictureUrl
  const login = `${username}:${password ?? ''}`
  return {
    'user-agent': PRODUCT,
    title: encoded(title),
    ...(click !== null && { click }),
    ...(priority !== undefined && { priority: String(priority) }),
    ...(username !== undefined && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
}

/** As RFC 2047 has it: headers are ASCII. */
function encoded(text: string): string {
  return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
}

/** What was in the answer is not reported: it could be of a service that the user may not see. */
function refusal(host: string, { status, headers }: HttpAnswer, nowMs: number): NotDelivered {
  const options = { retryAfterMs: retryAfterMs(headers['retry-after'], nowMs) }
  if (status === 401 || status === 403)
    return new NotDelivered(`${host} refuses the login (${status}); look at token, username and password.`, options)
  if (status === 429) return new NotDelivered(`${host} takes no more for now (429); it is tried again.`, options)
  return new NotDelivered(`${host} answered ${status}.`, options)
}
