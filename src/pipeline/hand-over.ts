import { type Picture } from './picture.ts'

/** Pictures of a live source, of which only the newest counts. */
export interface NewestPictures extends AsyncIterable<Picture> {
  /** The picture that is the newest by now; this one is released if there is one. */
  exchange(picture: Picture): Picture
}

/**
 * The hand-over between a live source and detection, which is the slower one: the source is drained as it comes, and the
 * consumer gets the newest picture. Older ones are released. Starts at once, before the first picture is asked for.
 * Once there is one, `ready` is waited for: the picture that is the newest by then is handed over.
 */
export function newest(
  pictures: AsyncIterable<Picture>,
  onDropped: () => void,
  ready: () => Promise<void> = async () => {},
): NewestPictures {
  let waiting: Picture | undefined
  let outcome: { readonly error?: unknown } | undefined
  let wake: (() => void) | undefined

  function drop(picture: Picture): void {
    picture.decoded.release()
    onDropped()
  }

  async function drain(): Promise<void> {
    for await (const picture of pictures) {
      if (waiting) drop(waiting)
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
    exchange(picture) {
      const newer = waiting
      if (!newer) return picture
      waiting = undefined
      drop(picture)
      return newer
    },
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
