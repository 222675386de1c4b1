import { createSecureContext } from 'node:tls'
import { onTestFinished } from 'vitest'
import { type Certificate } from '../../src/core/certificate.ts'
import { type Authorize } from '../../src/media/access.ts'
import { createHub, type Hub, type HubEvent, type HubOptions } from '../../src/media/hub.ts'
import { type ProtocolServer } from '../../src/media/protocol-server.ts'
import { MediaRefusal } from '../../src/media/refusal.ts'
import { writeAmf0 } from '../../src/media/rtmp/wire/amf0-writer.ts'
import { MESSAGE, type RtmpMessage } from '../../src/media/rtmp/wire/message.ts'
import { createRtmpServer, type RtmpServerOptions } from '../../src/media/rtmp/server/server.ts'
import { avcConfigurationTag, avcFrameTag, idr, predicted, withLengths } from '../builders/flv-tags.ts'
import { createRtmpClient, type RtmpClient } from './rtmp-client.ts'

export const SECRET = 'ak_0123456789abcdef'

/** Publishing takes the key; reading is free. The key identifies the account. */
const authorize: Authorize = async (action, path, { credentials }) => {
  if (action === 'read') return { principal: 'reader' }
  if (credentials.kind === 'none') throw new MediaRefusal('credentials-needed', 'Say who you are.')
  if (credentials.kind !== 'key' || !credentials.key.startsWith(SECRET)) {
    throw new MediaRefusal('credentials-wrong', 'The key is wrong.')
  }
  if (!path.startsWith('admin/')) throw new MediaRefusal('forbidden', `The key is not for ${path}.`)
  return { principal: credentials.key }
}

/** An RTMP server with a real hub behind it, on a free port, until the test ends. */
export interface RtmpRig {
  readonly hub: Hub
  readonly port: number
  readonly server: ProtocolServer
  readonly logged: string[]
  readonly events: HubEvent[]
  client(): Promise<RtmpClient>
}

export interface RtmpRigOptions extends Partial<RtmpServerOptions> {
  /** Any free one when missing. */
  readonly port?: number
  readonly wake?: HubOptions['wake']
  /** With it, RTMPS is spoken. */
  readonly certificate?: Certificate
}

export async function createRtmpRig(given: RtmpRigOptions = {}): Promise<RtmpRig> {
  const { port: wantedPort = 0, wake = () => undefined, certificate, ...options } = given
  const logged: string[] = []
  const events: HubEvent[] = []
  const write = (fields: unknown, text: string) => void logged.push(`${text} ${JSON.stringify(fields)}`)
  const hub = createHub({ authorize, wake, onEvent: (event) => events.push(event) })
  const log = { info: write, warn: write }
  const server = createRtmpServer({ hub, host: '127.0.0.1', log, ...options })
  const secureContext = certificate && createSecureContext(certificate)
  const port = await server.listen({ port: wantedPort, ...(secureContext && { secureContext: () => secureContext }) })
  onTestFinished(() => server.close())
  return {
    hub,
    port,
    server,
    logged,
    events,
    async client() {
      const client = await createRtmpClient({ port })
      onTestFinished(() => client.close())
      return client
    },
  }
}

export const keyTag = (id: number, bytes?: number): Buffer =>
  avcFrameTag(withLengths([idr(id, bytes)]), { isKeyframe: true })
export const deltaTag = (id: number): Buffer => avcFrameTag(withLengths([predicted(id)]))
export const isVideo = ({ typeId }: RtmpMessage): boolean => typeId === MESSAGE.video

/** Metadata, configuration and a keyframe: enough for the path to be live. */
export function sendBeginning(client: RtmpClient): void {
  client.message(MESSAGE.dataAmf0, writeAmf0('@setDataFrame', 'onMetaData', { videocodecid: 7, width: 1920 }))
  client.message(MESSAGE.video, avcConfigurationTag())
  client.message(MESSAGE.video, keyTag(1), 0)
}

/** A client that publishes to `admin/cam`, which is live. */
export async function startPublishing(rig: RtmpRig): Promise<RtmpClient> {
  const client = await rig.client()
  const { code } = await client.publish('admin', `cam?api_key=${SECRET}`)
  if (code !== 'NetStream.Publish.Start') throw new Error(`Publishing was answered by ${code}.`)
  sendBeginning(client)
  await until(() => rig.events.some(({ type }) => type === 'live'))
  return client
}

export async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((resolve) => setImmediate(resolve))
}
