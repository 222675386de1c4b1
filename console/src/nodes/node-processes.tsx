import { ask } from '../ask.ts'
import { Notice } from '../frame/notice.tsx'
import { StateBadge } from '../frame/state-badge.tsx'
import { usePolled } from '../polling.ts'
import { api } from '../service.ts'

const REFRESH_MS = 5_000
const MAX_SHOWN = 200

/** What runs on one node, as far as it is the user's. */
export function NodeProcesses({ name }: { name: string }) {
  const params = { path: { node: name }, query: { limit: MAX_SHOWN } }
  const { data, problem } = usePolled(() => ask(api.GET('/nodes/{node}/processes', { params })), REFRESH_MS)
  const processes = data.value
  return (
    <section aria-labelledby="on-node">
      <h2 id="on-node">On {name}</h2>
      <Notice sentence={problem.value} />
      {processes?.length === 0 && <p>No process of yours, or of your child keys, is there.</p>}
      {processes && processes.length > 0 && (
        <table class="usage">
          <thead>
            <tr>
              <th>Source</th>
              <th class="wide-only">User</th>
              <th>State</th>
            </tr>
          </thead>
          <tbody>
            {processes.map(({ process_uuid, source_alias, source_type, username, state }) => (
              <tr key={process_uuid}>
                <td class="name">
                  <a href={`#/live/${process_uuid}`}>{source_alias ?? process_uuid}</a>
                  {source_type === 'file' && ' (a file)'}
                </td>
                <td class="wide-only">{username}</td>
                <td>
                  <StateBadge state={state} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {processes?.length === MAX_SHOWN && <p class="hint">The newest {MAX_SHOWN} are shown.</p>}
    </section>
  )
}
