/** Of all nodes. */
export const SERVICE_SUBJECT = 'aerie.v1.nodes'

/** The addresses of a node on NATS: one token of its name, whatever that is, so that rights can be given by `aerie.v1.node.>`. */
export function nodeSubject(nodeId: string, ...rest: readonly string[]): string {
  return ['aerie', 'v1', 'node', asToken(nodeId), ...rest].join('.')
}

/** Dots part tokens, and `*` and `>` stand for many. */
function asToken(name: string): string {
  return encodeURIComponent(name).replaceAll('.', '%2E').replaceAll('*', '%2A')
}
