import { type HeldPackets } from './decode/held-packets.ts'
import { type SourceDecoder } from './decode/decode-stage.ts'
import { type PacketPart, type Picture, type SourcePart } from './picture.ts'

/** Pictures of a live source, of which only the newest counts. */
export interface NewestPictures extends AsyncIterable<Picture> {
  /** Waits for something else, and then answers the picture that is the newest by then; this one is released if there is one. */
  exchange(picture: Picture, wait: () => Promise<void>): Promise<Picture>
}

export interface HandOverOptions {
  readonly decoder: SourceDecoder
  readonly held: HeldPackets
  /** Somebody sees every picture: all are decoded as they come. */
  readonly isShown: () => boolean
  /** Whether detection would look at what this packet completes; otherwise it is decoded when it is needed, if at all. */
  readonly isWanted: (part: PacketPart) => boolean
  /** Every picture that is decoded, whether or not it is handed over. */
  readonly onPicture: (picture: Picture) => void
  /** A picture came in. */
  readonly onArrived: () => void
  /** A picture was overtaken by a newer one. */
  readonly onDropped: () => void
  /** One was overtaken before it was decoded, which would have taken so long. */
  readonly onSpared: (decodingMs: number) => void
  /** Once there is a picture, this is waited for. */
  readonly ready: () => Promise<void>
}

/**
 * The hand-over between a live source and detection, which is the slower one: the source is drained as it comes, and the
 * consumer gets the newest picture. Older ones are released, or never decoded. Starts at once, before the first picture is
 * asked for.
 */
export function newest(parts: AsyncIterable<SourcePart>, options: HandOverOptions): NewestPictures {
  const { decoder, held, isShown, isWanted, onPicture, onArrived, onDropped, onSpared, ready } = options
  let waiting: Picture | undefined
  let outcome: { readonly error?: unknown } | undefined
  let wake: (() => void) | undefined
  /** Of the stream that is open. */
  let hasPicture = false
  let isWaiting = false

  function drop(picture: Picture): void {
    picture.decoded.release()
    onDropped()
  }

  /** Returns whether a picture came of it. */
  function decodeHeld(): boolean {
    const before = waiting
    for (const part of held.take()) {
      for (const picture of decoder.decode(part)) {
        if (waiting) drop(waiting)
        waiting = picture
        hasPicture = true
        onPicture(picture)
      }
    }
    return waiting !== before
  }

  function take(part: PacketPart): void {
    const spared = held.hold(part)
    for (let packet = 0; packet < spared; packet++) onSpared(held.decodingMs)
    const isNeeded = isWanted(part) && !isWaiting
    const isDecoded = isNeeded || !hasPicture || held.isFull || isShown()
    if (!isDecoded || decodeHeld()) onArrived()
    if (waiting) wake?.()
  }

  async function drain(): Promise<void> {
    try {
      for await (const part of parts) {
        if (part.kind === 'packet') take(part)
        else {
          held.clear()
          hasPicture = false
          for (const picture of decoder.decode(part)) drop(picture)
        }
      }
    } finally {
      held.clear()
      decoder.close()
    }
  }

  void drain()
    .then(
      () => (outcome = {}),
      (error: unknown) => (outcome = { error }),
    )
    .then(() => wake?.())

  return {
    async exchange(picture, wait) {
      isWaiting = true
      await wait().finally(() => (isWaiting = false))
      decodeHeld()
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
          decodeHeld()
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
