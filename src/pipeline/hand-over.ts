import { type Picture } from './picture.ts'

/**
 * The hand-over between a live source and detection, which is the slower one: the source is drained as it comes, and the
 * consumer gets the newest picture. Older ones are released. Starts at once, before the first picture is asked for.
 * Once there is one, `ready` is waited for: the picture that is the newest by then is handed over.
 */
export function newest(
  pictures: AsyncIterable<Picture>,
  onDropped: () => void,
  ready: () => Promise<void> = async () => {},
): AsyncIterable<Picture> {
  let waiting: Picture | undefined
  let outcome: { readonly error?: unknown } | undefined
  let wake: (() => void) | undefined

  async function drain(): Promise<void> {
    for await (const picture of pictures) {
      if (waiting) {
        waiting.decoded.release()
        onDropped()
      }
      waiting = picture
      wake?.()
    }
  }

  void drain()
    .then(
      () => (outcome = {}),
      (error: unknown) => (outcome = { error }),
    )
    .then(() => wake?.())

  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        if (waiting) {
          await ready()
          const picture = waiting
          waiting = undefined
          yield picture
        } else if (outcome) {
          if ('error' in outcome) throw outcome.error
          return
        } else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
