import { createAllowance } from '../../../core/allowance.ts'
import { type Clock } from '../../../core/clock.ts'
import { MAX_BYTES_BEFORE_ACCEPTANCE } from '../../connection-admission.ts'
import { RtmpProtocolError } from '../wire/message.ts'

/** How much one client may send and leave unread: little until it may publish or play. Each throws `RtmpProtocolError`. */
export interface ClientLimits {
  countBytes(bytes: number): void
  countMessage(): void
  /** A command or a ping. */
  countRequest(): void
  checkQueuedAnswers(bytes: number): void
  /** The client publishes or plays. */
  accept(): void
}

/** Clients send about a dozen requests when they begin, and next to nothing afterwards; some make work for other processes. */
const REQUESTS = { burst: 100, perSecond: 100 }
/** Answers are small: more of them waiting means that the client doesn't read. What it plays is counted elsewhere. */
const MAX_QUEUED_ANSWER_BYTES = { beforeAcceptance: 64 * 1024, afterwards: 1024 * 1024 }
/** Encoders and players send about a dozen messages of a few hundred bytes until they are accepted. */
const MAX_MESSAGES_BEFORE_ACCEPTANCE = 256

export function createClientLimits(clock: Pick<Clock, 'steady'>): ClientLimits {
  const requests = createAllowance(REQUESTS, clock)
  let isAccepted = false
  let bytesBeforeAcceptance = 0
  let messagesBeforeAcceptance = 0

  function checkBeforeAcceptance(): void {
    if (
      bytesBeforeAcceptance > MAX_BYTES_BEFORE_ACCEPTANCE ||
      messagesBeforeAcceptance > MAX_MESSAGES_BEFORE_ACCEPTANCE
    )
      throw new RtmpProtocolError('So much was sent, and nothing published or played.')
  }

  return {
    countBytes(bytes) {
      if (isAccepted) return
      bytesBeforeAcceptance += bytes
      checkBeforeAcceptance()
    },
    countMessage() {
      if (isAccepted) return
      messagesBeforeAcceptance += 1
      checkBeforeAcceptance()
    },
    countRequest() {
      if (!requests.take())
        throw new RtmpProtocolError(`The client asks for more than ${REQUESTS.perSecond} things in a second.`)
    },
    checkQueuedAnswers(bytes) {
      const { beforeAcceptance, afterwards } = MAX_QUEUED_ANSWER_BYTES
      if (bytes > (isAccepted ? afterwards : beforeAcceptance))
        throw new RtmpProtocolError('The client sends commands and takes no answers.')
    },
    accept: () => void (isAccepted = true),
  }
}
