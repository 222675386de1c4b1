import { type NodesReport } from '@aerie/client'
import { ask } from '../ask.ts'
import { Notice } from '../frame/notice.tsx'
import { StateBadge } from '../frame/state-badge.tsx'
import { usePolled } from '../polling.ts'
import { api } from '../service.ts'
import { timeWords } from '../time-words.ts'
import { NodeActions } from './node-actions.tsx'
import { NodeProcesses } from './node-processes.tsx'
import { coresWords, leftWords, type NodeRecord, roomWords, summaryOf } from './node-words.ts'

const REFRESH_MS = 3_000

/** The machines of this service, and what runs where. `chosen` is the one that is looked at. */
export function NodesPage({ chosen }: { chosen: string | undefined }) {
  const { data, problem, refresh } = usePolled(() => ask(api.GET('/nodes')), REFRESH_MS)
  return (
    <>
      <h1>Nodes</h1>
      <Notice sentence={problem.value} />
      {data.value && <Report report={data.value} chosen={chosen} onChange={refresh} />}
    </>
  )
}

interface ReportProps {
  readonly report: NodesReport
  readonly chosen: string | undefined
  readonly onChange: () => Promise<void>
}

function Report({ report, chosen, onChange }: ReportProps) {
  const { nodes, is_alone: isAlone, answered_by: answeredBy, may_change: mayChange } = report
  const shown = nodes.find(({ node }) => node === (chosen ?? answeredBy))
  return (
    <>
      {!isAlone && <Notice {...summaryOf(report)} />}
      <table class="usage nodes">
        <thead>
          <tr>
            <th>Node</th>
            <th>State</th>
            <th>Processes</th>
            <th class="wide-only">Cameras</th>
            <th class="wide-only">Streams</th>
            <th class="wide-only">Room</th>
            <th class="wide-only">Free cores</th>
            <th class="wide-only">Labels</th>
            <th class="wide-only">Version</th>
            <th class="wide-only">Since</th>
            {mayChange && !isAlone && <th>Change</th>}
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node.node}>
              <NodeCells node={node} isShown={node === shown} />
              {mayChange && !isAlone && (
                <td>
                  <NodeActions node={node} onChange={onChange} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {nodes.length === 1 && <AddSecond />}
      {!mayChange && !isAlone && <p class="hint">Only the key of admin drains nodes and forgets them.</p>}
      {shown && <NodeProcesses key={shown.node} name={shown.node} />}
    </>
  )
}

function NodeCells({ node, isShown }: { node: NodeRecord; isShown: boolean }) {
  const left = leftWords(node)
  return (
    <>
      <td class="name">
        <a href={`#/nodes/${node.node}`} aria-current={isShown ? 'true' : undefined}>
          {node.node}
        </a>
      </td>
      <td>
        <StateBadge state={node.state} />
        {left && <div class="hint">{left}</div>}
      </td>
      <td>{node.processes}</td>
      <td class="wide-only">{node.cameras}</td>
      <td class="wide-only">{node.streams}</td>
      <td class="wide-only">{roomWords(node)}</td>
      <td class="wide-only">{coresWords(node)}</td>
      <td class="wide-only labels">{node.labels.join(', ') || '–'}</td>
      <td class="wide-only">{node.version}</td>
      <td class="wide-only">{timeWords(node.started_at)}</td>
    </>
  )
}

function AddSecond() {
  return (
    <p class="hint">
      This service has one node. For a second, start another with the same <code>AERIE_NATS_URL</code> and the same
      PostgreSQL as <code>AERIE_DATABASE_URL</code>: <code>docs/several-machines.md</code> says how.
    </p>
  )
}
