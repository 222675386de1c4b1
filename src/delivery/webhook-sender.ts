import { type Clock } from '../core/clock.ts'
import { PRODUCT } from '../core/version.ts'
import { type OutboundMessage, type WebhookDestination } from '../core/outbound-message.ts'
import { basicAuth } from './basic-auth.ts'
import { type BearerTokens } from './bearer-tokens.ts'
import { type HttpAnswer, type HttpCaller } from './http-call.ts'
import { NotDelivered, type Sender } from './message.ts'
import { retryAfterMs } from './retry-after.ts'
import { signatureOf } from './webhook-signature.ts'

export interface WebhookSenderDeps {
  readonly http: HttpCaller
  readonly tokens: BearerTokens
  /**
   * Whether a token may be fetched there for this receiver. What a login answers is sent on to the receiver, so that both
   * must be of one hand: else somebody could have the answer of a service that it cannot reach itself.
   */
  readonly mayLogIn: (authUrl: URL, receiver: URL) => boolean
  readonly clock: Clock
}

const MAX_REDIRECTS = 3
const redirects: readonly number[] = [301, 302, 303, 307, 308]

/** Brings messages to HTTP receivers, signed as Standard Webhooks says. Any 2xx is a receipt. */
export function createWebhookSender({ http, tokens, mayLogIn, clock }: WebhookSenderDeps): Sender {
  async function post(
    message: OutboundMessage,
    { url, secret }: WebhookDestination,
    token: string | undefined,
    signal: AbortSignal | undefined,
  ) {
    const isAlone = (message.spacingMs ?? 0) > 0
    const timestampSeconds = Math.floor(clock.now() / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': PRODUCT,
      'webhook-id': message.id,
      'webhook-timestamp': String(timestampSeconds),
      ...(secret && {
        'webhook-signature': signatureOf({ id: message.id, timestampSeconds, body: message.body }, secret),
      }),
    }
    let target = new URL(url)
    const first = target.origin
    for (let hops = 0; ; hops++) {
      // Credentials are for the receiver that was named, and for nobody that it points to.
      const login = target.origin !== first ? {} : token ? { authorization: `Bearer ${token}` } : basicAuth(target)
      const call = {
        url: target,
        accountId: message.accountId,
        headers: { ...headers, ...login },
        body: message.body,
        isAlone,
        signal,
      }
      const answer = await http.post(call).catch((error: unknown) => {
        throw hops === 0 ? error : seen(error)
      })
      const { location } = answer.headers
      if (!redirects.includes(answer.status) || location === undefined) return answer
      if (hops >= MAX_REDIRECTS) throw new NotDelivered(`${target.host} redirects more than ${MAX_REDIRECTS} times.`)
      target = next(target, location)
    }
  }

  async function attempt(message: OutboundMessage, destination: WebhookDestination, signal?: AbortSignal) {
    const { authUrl } = destination
    if (authUrl === undefined) return post(message, destination, undefined, signal)
    if (!mayLogIn(new URL(authUrl), new URL(destination.url)))
      throw new NotDelivered(
        'auth_url is of another origin than notification_url; the operator can allow it with AERIE_AUTH_ORIGINS.',
        { isUnsent: true },
      )
    const token = await tokens.get(authUrl, message.accountId).catch((error: Error) => {
      throw new NotDelivered(error.message, { cause: error, isUnsent: true })
    })
    const answer = await post(message, destination, token, signal)
    if (answer.status === 401) tokens.refuse(authUrl, token)
    return answer
  }

  return {
    async send(message, signal) {
      const destination = message.destination as WebhookDestination
      const { authUrl } = destination
      let answer = await attempt(message, destination, signal)
      // The token may have expired: once more with a new one.
      if (answer.status === 401 && authUrl !== undefined)
        answer = await attempt(message, destination, signal).catch((error: unknown) => {
          throw seen(error)
        })
      if (answer.status >= 200 && answer.status <= 299) return
      throw refusal(answer, clock.now())
    },
    close: () => http.close(),
  }
}

/** What failed after the receiver has answered: it knows of the message, whatever was not reached then. */
function seen(error: unknown): unknown {
  return error instanceof NotDelivered && error.isUnsent ? new NotDelivered(error.message, { cause: error }) : error
}

function next(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new NotDelivered(`${from.host} redirects to something that is no URL.`)
  const target = new URL(location, from.href)
  if (target.protocol !== 'https:' && target.protocol !== from.protocol)
    throw new NotDelivered(`${from.host} redirects to ${target.protocol}, which is not followed.`)
  return target
}

/** What was in the answer is not reported: it could be of a service that the subscriber may not see. */
function refusal({ status, headers }: HttpAnswer, nowMs: number): NotDelivered {
  const sentence =
    status >= 400 && status <= 499
      ? `The receiver refuses it with ${status}; look at its address and its login.`
      : `The receiver answered ${status}.`
  return new NotDelivered(sentence, { retryAfterMs: retryAfterMs(headers['retry-after'], nowMs) })
}
