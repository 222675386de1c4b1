import { z } from 'zod'
import { type ChannelMessage, type MessageChannel } from '../core/message-channel.ts'
import { API_VERSION } from '../core/version.ts'

const description = `
What the service says without being asked: detections and telemetry over websockets, alerts over MQTT, notifications to webhooks.
The schemas are those that the code itself uses. Requests and answers are in \`/openapi.json\`.
`

const servers = {
  websocket: {
    host: '{host}:8080',
    protocol: 'ws',
    title: 'This service',
    description: 'With a certificate wss. The key goes into the header `api_key` or the query parameter `api_key`.',
    variables: { host: { default: 'localhost' } },
  },
  mqtt: {
    host: '{host}',
    protocol: 'mqtt',
    title: 'A broker of yours',
    description: 'MQTT 5 or 3.1.1, with TLS if asked for.',
    variables: { host: { default: 'localhost:1883' } },
  },
  webhook: {
    host: '{host}',
    protocol: 'http',
    title: 'A receiver of yours',
    description: 'Called by POST; http or https.',
    variables: { host: { default: 'localhost' } },
  },
} as const

/** The AsyncAPI 3.0 document of all that features say. */
export function asyncApiDocument(channels: readonly MessageChannel[]): object {
  const used = new Set(channels.map(({ protocol }) => protocol))
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Aerie',
      version: API_VERSION,
      description: description.trim(),
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: Object.fromEntries(Object.entries(servers).filter(([name]) => used.has(name as 'mqtt'))),
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
    servers: [{ $ref: `#/servers/${protocol}` }],
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, words]) => [name, { description: words }])),
    messages: Object.fromEntries(messages.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }])),
  }
}

function toOperation({ name, protocol, action, title, messages }: MessageChannel): object {
  return {
    action,
    title,
    channel: { $ref: `#/channels/${name}` },
    messages: messages.map((message) => ({ $ref: `#/channels/${name}/messages/${message.name}` })),
    ...(protocol === 'webhook' && { bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } } }),
  }
}

function toMessage({ name, summary, payload, headers }: ChannelMessage): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(payload, { target: 'draft-7', io: 'input' })
  return {
    name,
    title: name,
    summary,
    contentType: 'application/json',
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
