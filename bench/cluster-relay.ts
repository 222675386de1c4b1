import { childrenOf } from '../test/support/child-processes.ts'
import { cpuMsOf } from '../test/support/cpu-time.ts'
import { type ClusterNode, type NodeCluster } from '../test/support/node-cluster.ts'
import { measureRelay, percentile } from '../test/support/relay-latency.ts'
import { until } from '../test/support/until.ts'
import { ms, percent, type Row } from './benchmark.ts'

const PATH = 'admin/relayed'
const MAX_ADDED_MS = 10

/** A stream that comes to node a, read there and at node b. */
export async function relayRows(nodes: NodeCluster): Promise<Row[]> {
  const [a, b] = [nodes.node('a'), nodes.node('b')]
  const urlAt = ({ rtspUrl }: ClusterNode) => `${rtspUrl.replace('//', `//admin:${nodes.masterKey}@`)}/${PATH}`
  const body = { alias: 'relayed', input_url: `${a.rtspUrl}/${PATH}`, stream_type: 'rtsp' }
  const { source_uuid: sourceId } = await a.ask<{ source_uuid: string }>('POST', '/stream', { body })
  const statusAtB = async () => (await b.ask<{ status: string }>('GET', `/source/${sourceId}`)).status
  const mediaServer = childrenOf(b.service.process.pid!, '').flatMap((pid) => childrenOf(pid, 'media-server'))[0]!
  const [startedAt, cpuBefore] = [performance.now(), cpuMsOf(mediaServer)]
  const { atOrigin, added } = await measureRelay({
    publishUrl: urlAt(a),
    originUrl: urlAt(a),
    relayUrl: urlAt(b),
    untilKnown: () => until(async () => (await statusAtB()) === 'streaming'),
  })
  const ofCore = (cpuMsOf(mediaServer) - cpuBefore) / (performance.now() - startedAt)
  const p95 = percentile(added, 0.95)
  return [
    { what: 'relay: frames read at both', value: `${added.length} of 600`, goal: 'all', isMet: added.length === 600 },
    { what: 'relay: latency at the node that the stream comes to', value: spread(atOrigin) },
    {
      what: 'relay: what it adds',
      value: spread(added),
      goal: `p95 under ${MAX_ADDED_MS} ms`,
      isMet: p95 < MAX_ADDED_MS,
    },
    { what: 'relay: CPU of the media server that relays, with one reader', value: `${percent(ofCore)} of a core` },
  ]
}

const spread = (sorted: readonly number[]) =>
  `p50 ${ms(percentile(sorted, 0.5))}, p95 ${ms(percentile(sorted, 0.95))}, p99 ${ms(percentile(sorted, 0.99))}`
