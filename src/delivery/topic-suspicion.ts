import { dropOldest } from '../core/drop-oldest.ts'
import { backoffMs } from '../core/retry.ts'
import { NotDelivered } from './message.ts'

/**
 * Which topics may be why a broker hangs up: some brokers do so instead of refusing a message, and whatever else is under
 * way on the connection fails with it. What was under way again and again comes back ever less often, so that the rest
 * gets through in between. Innocent topics are soon taken, and then nothing is held against them.
 */
export interface TopicSuspicion {
  /** The connection ended before the broker had this. Answers what to reject with. */
  onHangUp(topic: string, error: Error): Error
  onTaken(topic: string): void
}

/** In a row; fewer are bad luck. */
const MIN_HANG_UPS = 3
const TOPIC_WAITS = { firstMs: 10_000, maxMs: 600_000 }
/** Those that were met first are forgotten: alerts come and go, and their topics with them. */
const MAX_TOPICS = 2_000

export function createTopicSuspicion(): TopicSuspicion {
  const hangUpsOf = new Map<string, number>()

  return {
    onHangUp(topic, error) {
      const hangUps = (hangUpsOf.get(topic) ?? 0) + 1
      hangUpsOf.set(topic, hangUps)
      dropOldest(hangUpsOf, MAX_TOPICS)
      if (hangUps < MIN_HANG_UPS) return error
      const retryAfterMs = backoffMs(hangUps - MIN_HANG_UPS, TOPIC_WAITS)
      const sentence = `${error.message} It was the same ${hangUps} times in a row; check whether the broker allows this topic. It is tried less often each time.`
      return new NotDelivered(sentence, { cause: error, retryAfterMs })
    },
    onTaken: (topic) => void hangUpsOf.delete(topic),
  }
}
