import { useAction } from '../action.ts'
import { ask } from '../ask.ts'
import { focusMain } from '../frame/focus-main.ts'
import { Notice } from '../frame/notice.tsx'
import { api } from '../service.ts'
import { type NodeRecord } from './node-words.ts'

export interface NodeActionsProps {
  readonly node: NodeRecord
  readonly onChange: () => Promise<void>
}

/** Drain, take again; a dead one can be forgotten. */
export function NodeActions({ node: { node: name, state, ...node }, onChange }: NodeActionsProps) {
  const { problem, act } = useAction(onChange)
  const params = { path: { node: name } }
  const setDraining = (draining: boolean) => ask(api.PATCH('/nodes/{node}', { params, body: { draining } }))
  const forget = async () => {
    await ask(api.DELETE('/nodes/{node}', { params }))
    // The button goes with the node.
    focusMain({ preventScroll: true })
  }
  const question = `Drain ${name}? Its processes (${node.processes}) and cameras (${node.cameras}) go to other nodes, one at a time.`

  return (
    <>
      {state === 'draining' ? (
        <button
          type="button"
          aria-label={`Let ${name} take processes again`}
          onClick={() => void act(() => setDraining(false))}
        >
          Take again
        </button>
      ) : state === 'dead' ? (
        <button
          type="button"
          class="danger"
          aria-label={`Forget ${name}`}
          onClick={() => confirm(`Forget ${name}? It joins anew if it is started again.`) && void act(forget)}
        >
          Forget
        </button>
      ) : (
        <button
          type="button"
          aria-label={`Drain ${name}`}
          onClick={() => confirm(question) && void act(() => setDraining(true))}
        >
          Drain
        </button>
      )}
      <Notice sentence={problem.value} />
    </>
  )
}
