import { z } from 'zod'
import { type ChannelMessage, type MessageChannel } from '../core/message-channel.ts'
import { API_VERSION } from '../core/version.ts'

const description = `
What the service says without being asked: detections and telemetry over websockets and server-sent events, alerts over MQTT, notifications to webhooks, and where the operator wants
it, scenes and notifications over NATS.
The schemas are those that the code itself uses. Requests and answers are in \`/openapi.json\`.
`

const keyed = 'The key goes into the header `api_key` or the query parameter `api_key`.'

/** Who speaks which protocol; some are there with TLS too. */
const servers: Readonly<Record<string, Server>> = {
  websocket: ours('ws', `With a certificate wss, and behind a proxy that has one, at its port. ${keyed}`),
  events: ours(
    'http',
    `Server-sent events; with a certificate https, and behind a proxy that has one, at its port. ${keyed}`,
  ),
  mqtt: theirs(
    'mqtt',
    'A broker of yours',
    '1883',
    'MQTT 5 or 3.1.1; with a user and a password if the output has them.',
  ),
  mqttTls: theirs('mqtts', 'A broker of yours, by TLS', '8883', 'The same, for `mqtts://` in the output.'),
  nats: theirs(
    'nats',
    'The NATS of a service of several nodes',
    '4222',
    'Where `AERIE_NATS_PUBLISH` says so; with the user that its operator gives, who sees one account (docs/nats.md).',
  ),
  webhook: theirs('http', 'A receiver of yours', '80', 'Called by POST.'),
  webhookTls: theirs('https', 'A receiver of yours, by TLS', '443', 'Called by POST.'),
}
const serversOf: Readonly<Record<MessageChannel['protocol'], readonly string[]>> = {
  websocket: ['websocket'],
  events: ['events'],
  mqtt: ['mqtt', 'mqttTls'],
  webhook: ['webhook', 'webhookTls'],
  nats: ['nats'],
}

interface Server {
  readonly host: string
  readonly protocol: string
  readonly title: string
  readonly description: string
  readonly variables: Readonly<Record<string, { readonly default: string; readonly description?: string }>>
}

function ours(protocol: string, words: string): Server {
  const port = { default: '8080', description: 'As `AERIE_HTTP_PORT` says.' }
  return { ...theirs(protocol, 'This service', '', words), variables: { host: { default: 'localhost' }, port } }
}

function theirs(protocol: string, title: string, port: string, words: string): Server {
  const variables = { host: { default: 'localhost' }, port: { default: port } }
  return { host: '{host}:{port}', protocol, title, description: words, variables }
}

/** The AsyncAPI 3.0 document of all that features say. */
export function asyncApiDocument(channels: readonly MessageChannel[]): object {
  const used = new Set(channels.flatMap(({ protocol }) => serversOf[protocol]))
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Aerie',
      version: API_VERSION,
      description: description.trim(),
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: Object.fromEntries(Object.entries(servers).filter(([name]) => used.has(name))),
    channels: Object.fromEntries(channels.map((channel) => [channel.name, toChannel(channel)])),
    operations: Object.fromEntries(
      channels.map((channel) => [`${channel.action}_${channel.name}`, toOperation(channel)]),
    ),
    components: {
      messages: Object.fromEntries(
        channels.flatMap(({ messages }) => messages.map((message) => [message.name, toMessage(message)])),
      ),
    },
  }
}

function toChannel({ protocol, address, title, description: text, parameters = {}, messages }: MessageChannel): object {
  return {
    address,
    title,
    ...(text !== undefined && { description: text }),
    servers: serversOf[protocol].map((name) => ({ $ref: `#/servers/${name}` })),
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, words]) => [name, { description: words }])),
    messages: Object.fromEntries(messages.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }])),
  }
}

const methods: Partial<Record<MessageChannel['protocol'], string>> = { webhook: 'POST', events: 'GET' }

function toOperation({ name, protocol, action, title, messages }: MessageChannel): object {
  return {
    action,
    title,
    channel: { $ref: `#/channels/${name}` },
    messages: messages.map((message) => ({ $ref: `#/channels/${name}/messages/${message.name}` })),
    ...(protocol in methods && { bindings: { http: { method: methods[protocol], bindingVersion: '0.3.0' } } }),
  }
}

function toMessage({ name, summary, payload, headers, contentType = 'application/json' }: ChannelMessage): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(payload, { target: 'draft-7', io: 'input' })
  return {
    name,
    title: name,
    summary,
    contentType,
    ...(headers && {
      headers: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(headers).map(([header, words]) => [header, { type: 'string', description: words }]),
        ),
      },
    }),
    payload: schema,
  }
}
