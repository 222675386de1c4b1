import { type RtmpAddress } from './rtmp-address.ts'
import { type RtmpRefusal } from './server-sentence.ts'

/**
 * Servers that know no challenge, an Aerie and MediaMTX among them, take user and password from the query behind the stream's name. There
 * the password is sent as it is, so only a server that lets nobody publish without one gets to see it: no other needs it, and most
 * servers log addresses.
 */

/** As an Aerie and as MediaMTX refuse a publisher whom they do not know. */
const UNKNOWN_PUBLISHER: readonly string[] = ['NetStream.Publish.Denied', 'NetStream.Publish.Unauthorized']

/** The address with the login in it. Undefined when there is none to give, or when the refusal has nothing to do with it. */
export function withPlainLogin(address: RtmpAddress, { code }: Pick<RtmpRefusal, 'code'>): RtmpAddress | undefined {
  const { app, name, tcUrl, credentials } = address
  if (!credentials || !UNKNOWN_PUBLISHER.includes(code)) return undefined
  const login = `user=${encodeURIComponent(credentials.username)}&pass=${encodeURIComponent(credentials.password)}`
  // Where there is no name, the application is all that the server knows of the path.
  if (name === '') return { ...address, app: withQuery(app, login), tcUrl: withQuery(tcUrl, login) }
  return { ...address, name: withQuery(name, login) }
}

const withQuery = (text: string, query: string) => `${text}${text.includes('?') ? '&' : '?'}${query}`
