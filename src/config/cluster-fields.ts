import { z } from 'zod'
import { type PublishedKind, publishedKinds } from '../core/live-publishing.ts'
import { parseNatsUrl } from '../core/nats-address.ts'
import { filePath, list } from './setting-values.ts'

const isPublishedKind = (text: string): text is PublishedKind => (publishedKinds as readonly string[]).includes(text)
const NODE_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const NODE_LABEL = /^[A-Za-z0-9][\w./=-]{0,62}$/
const MAX_NODE_LABELS = 32
const RTSP_URL = /^rtsps?:\/\/[^\s/?#@]+\/?$/
const rtspUrlOrOff = z.unknown().transform((given, context): string => {
  if (given === 'off' || given === false) return 'off'
  if (typeof given === 'string' && RTSP_URL.test(given) && URL.canParse(given)) return given.replace(/\/$/, '')
  context.addIssue({ code: 'custom', message: 'an address such as rtsp://10.0.0.5:8554, without a path, or off' })
  return z.NEVER
})

/** The settings of a service of several nodes. */
export const clusterFields = {
  AERIE_NATS_URL: list
    .superRefine((urls, context) => {
      // As it will be read: by then the node has joined.
      try {
        parseNatsUrl(urls.join(','))
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
      }
    })
    .optional()
    .describe(
      'Makes this a node of a service of several: the NATS servers by which its nodes reach each other, e.g. nats://user:password@a:4222,nats://user:password@b:4222; tls:// for an encrypted connection. It needs an AERIE_DATABASE_URL of PostgreSQL that all nodes share. Default: a service of one node.',
    ),
  AERIE_NATS_CREDENTIALS: filePath
    .optional()
    .describe('File with the credentials for these servers (.creds), where they ask for such ones.'),
  AERIE_NATS_PUBLISH: list
    .refine((kinds) => kinds.every(isPublishedKind), `of ${publishedKinds.join(', ')}, or both`)
    .transform((kinds) => kinds.filter(isPublishedKind))
    .default([])
    .describe(
      'What programs that listen on these servers get of each account, where they are let (docs/nats.md): scenes, notifications, or scenes,notifications. Default: nothing, since every scene goes to the server whether or not anybody listens there, about 2 kB ten times a second of each process, and to whoever may subscribe to all subjects.',
    ),
  AERIE_NODE_NAME: z
    .string()
    .regex(NODE_NAME, 'up to 63 lower-case letters, digits and hyphens')
    .optional()
    .describe('Name of this node, which no other node has. Default: the name of the machine.'),
  AERIE_NODE_LABELS: list
    .refine((labels) => labels.every((label) => NODE_LABEL.test(label)), 'words such as gpu or site=north')
    .refine((labels) => labels.length <= MAX_NODE_LABELS, `no more than ${MAX_NODE_LABELS}`)
    .default([])
    .describe('What processes may ask of the node that they run on, e.g. site=north,gpu.'),
  AERIE_NODE_LEASE: z.coerce
    .number()
    .int()
    .min(3)
    .max(300)
    .default(15)
    .describe('Seconds after which a node that is not heard of is declared dead, and its processes go on elsewhere.'),
  AERIE_NODE_RTSP_URL: rtspUrlOrOff
    .optional()
    .describe(
      'How other nodes reach the RTSP port of this one, e.g. rtsp://10.0.0.5:8554; off where they cannot, as behind a mobile router: it sends them its streams itself then. Default: the first address of this machine.',
    ),
}
