import { randomBytes } from 'node:crypto'
import { type Clock } from '../core/clock.ts'
import { type Letter } from '../core/letter.ts'
import { shortened } from '../core/sentences.ts'
import { PRODUCT } from '../core/version.ts'
import { type HttpAnswer, type HttpCaller } from './http-call.ts'
import { type LetterSender } from './letter-sender.ts'
import { NotDelivered } from './message.ts'
import { retryAfterMs } from './retry-after.ts'

export interface TelegramSenderDeps {
  readonly http: HttpCaller
  readonly clock: Pick<Clock, 'now'>
}

/** Of a text below a picture. */
const MAX_CAPTION_LENGTH = 1024

/** Writes into a chat as a bot. Its token stands in the address, so that nothing of that is ever named. */
export function createTelegramSender({ http, clock }: TelegramSenderDeps): LetterSender<'telegram'> {
  return {
    async send({ accountId, config }, { letter, picture, signal }) {
      const { bot_token: token, chat_id: chat, api_url: api } = config
      const post = (method: string, type: string, body: string | Buffer) =>
        http.post({
          url: new URL(`/bot${token}/${method}`, api),
          accountId,
          headers: { 'content-type': type, 'user-agent': PRODUCT },
          body,
          signal,
        })
      const answer = picture
        ? await postPhoto(post, { chat_id: chat, caption: textOf(letter) }, picture)
        : await post(
            'sendMessage',
            'application/json',
            // Telegram would open the links, which are for the reader alone.
            JSON.stringify({ chat_id: chat, text: textOf(letter), link_preview_options: { is_disabled: true } }),
          )
      if (answer.status < 200 || answer.status > 299) throw refusal(new URL(api).host, answer, clock.now())
      return null
    },
  }
}

function textOf({ title, text, clipUrl }: Letter): string {
  const link = clipUrl === null ? '' : `\n${clipUrl}`
  return `${shortened(`${title}\n${text}`, MAX_CAPTION_LENGTH - link.length)}${link}`
}

type Post = (method: string, type: string, body: string | Buffer) => Promise<HttpAnswer>

/** `multipart/form-data` (RFC 7578). */
function postPhoto(post: Post, fields: Readonly<Record<string, string>>, jpeg: Buffer): Promise<HttpAnswer> {
  const boundary = `aerie-${randomBytes(18).toString('hex')}`
  const part = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`
  const texts = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`)
  const photo = `${part('name="photo"; filename="picture.jpg"')}content-type: image/jpeg\r\n\r\n`
  const body = Buffer.concat([Buffer.from(texts.join('') + photo), jpeg, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return post('sendPhoto', `multipart/form-data; boundary=${boundary}`, body)
}

function refusal(host: string, { status, headers, text }: HttpAnswer, nowMs: number): NotDelivered {
  const options = { retryAfterMs: askedWaitMs(text) ?? retryAfterMs(headers['retry-after'], nowMs) }
  switch (status) {
    case 401:
    case 404:
      return new NotDelivered(`${host} does not know the bot (${status}); look at bot_token.`, options)
    case 400:
      return new NotDelivered(
        `${host} refuses the message (400); look at chat_id, and write to the bot first.`,
        options,
      )
    case 403:
      return new NotDelivered(`${host} does not let the bot write there (403); add it to the chat again.`, options)
    case 429:
      return new NotDelivered(`${host} takes no more for now (429); it is tried again.`, options)
    default:
      return new NotDelivered(`${host} answered ${status}.`, options)
  }
}

/** `parameters.retry_after`, in seconds. */
function askedWaitMs(text: string): number | undefined {
  try {
    const { parameters } = JSON.parse(text) as { parameters?: { retry_after?: unknown } }
    const seconds = Number(parameters?.retry_after)
    return seconds > 0 ? seconds * 1000 : undefined
  } catch {
    return undefined
  }
}
