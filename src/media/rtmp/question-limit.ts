import { RtmpProtocolError } from '../rtmp-client/message.ts'

/** Clients ask for about a dozen things when they begin, and for next to nothing afterwards. */
const MAX_PER_SECOND = 100

/** Bounds what a client may ask for, commands and pings: each has its answer, and some of them are work for others. */
export interface QuestionLimit {
  /** Throws `RtmpProtocolError` when there are too many of them. */
  count(): void
}

export function createQuestionLimit(now: () => number = () => performance.now()): QuestionLimit {
  let secondBeganAt = now()
  let questions = 0

  return {
    count() {
      if (now() - secondBeganAt >= 1000) {
        secondBeganAt = now()
        questions = 0
      }
      if (++questions > MAX_PER_SECOND) {
        throw new RtmpProtocolError(`The client asks for more than ${MAX_PER_SECOND} things in a second.`)
      }
    },
  }
}
