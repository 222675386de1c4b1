import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { type ClusterNode } from '../core/node.ts'
import { processStates } from '../core/process-facts.ts'
import { type NodeState, nodeStates } from './node-state.ts'
import { type NodeWorkCount, type PlacedProcess } from './placed-processes.store.ts'

/** The wire's shapes of `/nodes`. */

export const ByNode = z.object({
  node: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/, 'must be the name of a node: up to 63 lower-case letters, digits and hyphens')
    .describe('Its AERIE_NODE_NAME.'),
})
export const NodeChange = z.strictObject({
  draining: z.boolean().describe('With true it is given nothing more, and gives away what it has.'),
})
export const ForgottenNode = z.object({ node: z.string(), deleted: z.literal(true) })

const count = z.number().int()

export const NodeRecord = z.object({
  node: z.string(),
  state: z
    .enum(nodeStates)
    .describe(
      '`draining`: it gives away what it has. `silent`: its lease is over; it is declared dead within seconds, or as soon as another node runs.',
    ),
  started_at: z.string().describe('When it joined last.'),
  version: z.string(),
  labels: z.array(z.string()),
  load: z
    .object({
      cores: count,
      free_cores: z.number(),
      room: count
        .nullable()
        .describe(
          'How many more streams fit with the default model, each looked at five times a second; null while nobody knows.',
        ),
    })
    .nullable()
    .describe('As it measured it at the last renewal of its lease; null before that.'),
  processes: count.describe('Those that go on there, of all keys. While it drains: those that are left.'),
  files: count.describe('Of these, those of video files, which end where they began.'),
  cameras: count.describe('Those that it calls.'),
  streams: count.describe('Those that are live there.'),
  reached_by_rtsp: z
    .boolean()
    .describe('Other nodes read its streams by RTSP; where they cannot, it pushes them. False of one that is alone.'),
})
export type NodeRecord = z.infer<typeof NodeRecord>

export const NodesReport = z.object({
  answered_by: z.string().describe('The node that gives this answer.'),
  is_alone: z.boolean().describe('A service of one node, without AERIE_NATS_URL: nobody could take over what it does.'),
  may_change: z.boolean().describe('Whether your key may drain nodes and forget them: that of admin may.'),
  nodes: z.array(NodeRecord).describe('By name.'),
  unplaced: z
    .object({ processes: count, cameras: count })
    .describe(
      'What waits for a node, for seconds as a rule; for longer where none has the labels that were asked for.',
    ),
})
export type NodesReport = z.infer<typeof NodesReport>

export const NodeProcess = z.object({
  process_uuid: z.uuid(),
  username: z.string(),
  source_alias: z.string().nullable(),
  source_type: z.enum(['file', 'stream']),
  state: z.enum(processStates).describe('As its node wrote it last.'),
  created_at: z.string(),
})

export function toNodeRecord(node: ClusterNode, state: NodeState, work: NodeWorkCount): NodeRecord {
  const { id, labels, load, version, startedAt, rtspUrl } = node
  return {
    node: id,
    state,
    started_at: toZulu(startedAt),
    version,
    labels: [...labels],
    load: load && { cores: load.cores, free_cores: Math.max(0, load.freeCores), room: load.room },
    ...work,
    reached_by_rtsp: rtspUrl !== null,
  }
}

export function toNodeProcess(process: PlacedProcess): z.infer<typeof NodeProcess> {
  const { id, username, sourceAlias, sourceType, state, createdAt } = process
  return {
    process_uuid: id,
    username,
    source_alias: sourceAlias,
    source_type: sourceType,
    state,
    created_at: toZulu(createdAt),
  }
}
