/** Why a request over the bus has no answer. */
export type RequestFailure = 'away' | 'too-large' | 'nobody' | 'late'

const sentences: Readonly<Record<RequestFailure, string>> = {
  away: 'NATS is away, or does not keep up.',
  'too-large': 'what is requested is too large for NATS.',
  nobody: 'nobody listens there.',
  late: 'no answer came in time.',
}

export class RequestFailed extends Error {
  readonly failure: RequestFailure

  constructor(failure: RequestFailure, options?: ErrorOptions) {
    super(sentences[failure], options)
    this.name = 'RequestFailed'
    this.failure = failure
  }
}

/** What the client's rejection means. Its errors are told apart by name: they come wrapped or bare. */
export function requestFailureOf(error: unknown): RequestFailed {
  const names: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause) names.push(cause.name)
  if (names.includes('NoResponders')) return new RequestFailed('nobody', { cause: error })
  if (names.includes('TimeoutError')) return new RequestFailed('late', { cause: error })
  return new RequestFailed('away', { cause: error })
}
