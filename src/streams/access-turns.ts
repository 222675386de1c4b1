import { createFairStarts, type FairStarts } from '../core/fair-starts.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { once } from '../core/once.ts'
import { type AccessAnswer, type AccessQuestion } from '../media/messages.ts'
import { type InternalTokens } from './grants.ts'
import { type DecideAccess } from './media-access.ts'
import { type RelayTokens } from './relay-tokens.ts'

/** Questions of one address that are under way, and of one name that is claimed there. */
const MAX_UNDER_WAY = { ofAddress: 8, ofName: 4 }
/** More than there are connections of one address that are not admitted yet, so that strangers do not fill it up for others. */
const MAX_WAITING_OF_NAME = 300
/** Answers that take longer are held back on purpose, or by the database: the questions behind them do not wait for them. */
const TURN_MS = 20

const TOO_MANY: AccessAnswer = {
  refusal: { reason: 'unavailable', sentence: 'You ask too much at once; try again in a moment.' },
}

/**
 * The media server's questions come in masses when clients want it so, and each is several queries: they are answered in turns, as
 * HTTP's requests are, so that neither many connections nor many names from one address keep others waiting. Those of one name are
 * in rounds, one of each credential, and so are the names of one address: a right password is not behind hundreds of times the same
 * wrong one. Our own workers and nodes are answered at once.
 */
export function inTurns(
  decide: DecideAccess,
  internalTokens: Pick<InternalTokens, 'find'>,
  relayTokens: Pick<RelayTokens, 'isValid'>,
  turnMs = TURN_MS,
): DecideAccess {
  const turnsOfNames = createFairStarts(MAX_UNDER_WAY.ofName)
  const turnsOfAddresses = createFairStarts(MAX_UNDER_WAY.ofAddress)
  const waiting = new Map<string, number>()

  /** Returns what ends the turn. */
  async function turnFor(name: string, { credentials, remoteAddress }: AccessQuestion['request']): Promise<() => void> {
    waiting.set(name, (waiting.get(name) ?? 0) + 1)
    const endOfName = await turnOf(turnsOfNames, name, JSON.stringify(credentials))
    const left = waiting.get(name)! - 1
    if (left > 0) waiting.set(name, left)
    else waiting.delete(name)
    const endOfAddress = await turnOf(turnsOfAddresses, remoteAddress, name)
    return () => {
      endOfAddress()
      endOfName()
    }
  }

  return async (question) => {
    if (isOfOurs(question, internalTokens, relayTokens)) return decide(question)
    const name = nameOf(question)
    if ((waiting.get(name) ?? 0) >= MAX_WAITING_OF_NAME) return TOO_MANY
    const endTurn = once(await turnFor(name, question.request))
    const timer = setTimeout(endTurn, turnMs)
    try {
      return await decide(question)
    } finally {
      clearTimeout(timer)
      endTurn()
    }
  }
}

function turnOf(turns: FairStarts, owner: string, part: string): Promise<() => void> {
  return new Promise((resolve) => turns.begin(owner, resolve, part))
}

function isOfOurs(
  { action, path, request: { credentials } }: AccessQuestion,
  internalTokens: Pick<InternalTokens, 'find'>,
  relayTokens: Pick<RelayTokens, 'isValid'>,
): boolean {
  if (credentials.kind !== 'token' && credentials.kind !== 'password') return false
  const token = credentials.kind === 'token' ? credentials.token : credentials.password
  return internalTokens.find(token) !== undefined || relayTokens.isValid(token, action, path)
}

/**
 * The identity that a client claims, and its address: its questions keep no other client waiting. Clients that were admitted
 * before are apart, so that false claims of others do not end their streams, and a flood does not put off the end of a right
 * that is gone.
 */
function nameOf({ path, request, isAgain }: AccessQuestion): string {
  const { credentials, remoteAddress } = request
  const claimed = 'username' in credentials ? credentials.username : ownerOfPath(path)
  return JSON.stringify([remoteAddress, credentials.kind, claimed, isAgain === true])
}
