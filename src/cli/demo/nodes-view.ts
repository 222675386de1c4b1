import { type DemoApi, DemoApiError } from './demo-api.ts'
import { type TakeoverView } from './takeover.ts'

interface NodesReport {
  readonly nodes: readonly { readonly node: string; readonly state: string }[]
}

interface ProcessInfo {
  readonly state: string
  readonly last_frame_at: string | null
}

/** The service as one of its nodes shows it. */
export function createNodesView(api: DemoApi, processId: () => string): TakeoverView {
  const listNodes = async () => (await api.call<NodesReport>('GET', '/nodes')).nodes
  return {
    isDead: async (name) => (await listNodes()).some(({ node, state }) => node === name && state === 'dead'),
    async nodeOfProcess() {
      for (const { node } of await listNodes()) {
        const there = await api.call<readonly { process_uuid: string }[]>('GET', `/nodes/${node}/processes`)
        if (there.some(({ process_uuid }) => process_uuid === processId())) return node
      }
      return undefined
    },
    async lastPictureAtMs() {
      const process = await api.call<ProcessInfo>('GET', `/process/${processId()}`).catch(unlessUnplaced)
      return process?.state === 'running' && process.last_frame_at ? Date.parse(process.last_frame_at) : undefined
    },
  }
}

/** Between two nodes nobody can answer for it. */
function unlessUnplaced(error: unknown): undefined {
  if (!(error instanceof DemoApiError && ['node-changing', 'node-unreachable'].includes(error.code))) throw error
}
