import { RtspClientError } from './client-error.ts'
import { type RtspRequester, type RtspSession, sessionHeader } from './requester.ts'

const MIN_INTERVAL_MS = 1_000
const MAX_INTERVAL_MS = 60_000

/**
 * Sends the server an empty request now and then, so that it keeps the session: by GET_PARAMETER where it knows that, since some
 * servers do not count OPTIONS, whose answer lists it.
 */
export function keepAlive(requester: RtspRequester, url: string, session: RtspSession): { stop(): void } {
  let method: 'GET_PARAMETER' | 'OPTIONS' | undefined
  const ask = (name: string) => requester.request(name, url, sessionHeader(session))

  async function touch(): Promise<void> {
    try {
      if (method) return void (await ask(method))
      const { headers } = await ask('OPTIONS')
      method = /\bGET_PARAMETER\b/i.test(headers.get('public') ?? '') ? 'GET_PARAMETER' : 'OPTIONS'
      if (method === 'GET_PARAMETER') await ask(method)
    } catch (error) {
      // A refusal is a sign of life too; a closed connection is noticed elsewhere.
      if (error instanceof RtspClientError && error.kind === 'refused') method = 'OPTIONS'
    }
  }

  const everyMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, session.timeoutMs / 2))
  const timer = setInterval(() => void touch(), everyMs)
  return { stop: () => clearInterval(timer) }
}
