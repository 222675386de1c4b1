/** Of all nodes. */
export const SERVICE_SUBJECT = 'aerie.v1.nodes'

/** The addresses of a node on NATS: one token of its name, whatever that is, so that rights can be given by `aerie.v1.node.>`. */
export function nodeSubject(nodeId: string, ...rest: readonly string[]): string {
  return ['aerie', 'v1', 'node', asToken(nodeId), ...rest].join('.')
}

/** Where the scenes of a process go: rights are given by `aerie.v1.scene.<username>.>`. */
export function sceneSubject(username: string, processId: string): string {
  return ['aerie', 'v1', 'scene', asToken(username), asToken(processId)].join('.')
}

/** Where its notifications of this type go: rights are given by `aerie.v1.notification.<username>.>`. */
export function notificationSubject(username: string, processId: string, type: string): string {
  return ['aerie', 'v1', 'notification', asToken(username), asToken(processId), asToken(type)].join('.')
}

/** The subjects of the same purpose: all that begins with as many tokens as we give rights by. */
export function familyOf(subject: string): string {
  const tokens = subject.split('.')
  return tokens[0] === 'aerie' && tokens.length > 3 ? `${tokens.slice(0, 3).join('.')}.>` : subject
}

/** Dots part tokens, and `*` and `>` stand for many. */
function asToken(name: string): string {
  return encodeURIComponent(name).replaceAll('.', '%2E').replaceAll('*', '%2A')
}
