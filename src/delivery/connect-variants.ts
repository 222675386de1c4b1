export interface ConnectVariant {
  readonly protocolVersion: 4 | 5
  readonly hasWill: boolean
}

/** Tried one after the other when a broker refuses us: some know only 3.1.1, some allow no last will. */
export const CONNECT_VARIANTS: readonly ConnectVariant[] = [
  { protocolVersion: 5, hasWill: true },
  { protocolVersion: 4, hasWill: true },
  { protocolVersion: 4, hasWill: false },
]

export interface ConnectOutcome {
  /** The broker has sent anything at all. */
  readonly isAnswered: boolean
  /** It has taken a message, or need not. */
  readonly isAccepted: boolean
}

/**
 * The index of the next variant, after a connection on which we had sent something. Refused, or closed at the first
 * message: another one. Without any answer that may be a broker that knows only 3.1.1, or a proxy whose broker is away:
 * the last will stays.
 */
export function nextVariant(index: number, { isAnswered, isAccepted }: ConnectOutcome): number {
  if (isAccepted) return 0
  return isAnswered ? (index + 1) % CONNECT_VARIANTS.length : index === 0 ? 1 : 0
}
