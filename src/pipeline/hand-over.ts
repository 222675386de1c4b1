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
  /** Nothing happens in what is not wanted: the last picture stands for it. */
  readonly isResting: () => boolean
  /** A picture that is decoded as it comes, or the newest of those that were held back. */
  readonly onPicture: (picture: Picture) => void
  /** A picture came in. */
  readonly onArrived: () => void
  /** Packets were decoded, and pictures came of them or not. */
  readonly onDecoded: (hasPicture: boolean) => void
  /** A packet came that is not decoded yet, if ever. */
  readonly onHeldBack: () => void
  /** A picture was overtaken by a newer one. */
  readonly onDropped: () => void
  /** One was overtaken before it was decoded, which would have taken so long. */
  readonly onSpared: (decodingMs: number) => void
  /** Once there is a picture, this is waited for. */
  readonly ready: () => Promise<void>
}

/** Pictures of a scene at rest are handed over again this often, so that whoever counts time knows that it goes on. */
const REPEAT_EVERY_MS = 400

/**
 * The hand-over between a live source and detection, which is the slower one: the source is drained as it comes, and the
 * consumer gets the newest picture. Older ones are released, or never decoded. Starts at once, before the first picture is
 * asked for.
 */
export function newest(parts: AsyncIterable<SourcePart>, options: HandOverOptions): NewestPictures {
  const { decoder, held, isShown, isWanted, isResting, ready } = options
  const { onPicture, onArrived, onDecoded, onHeldBack, onDropped, onSpared } = options
  let waiting: Picture | undefined
  let outcome: { readonly error?: unknown } | undefined
  let wake: (() => void) | undefined
  /** Of the stream that is open. */
  let hasPicture = false
  /** Its pictures come in another order than its packets: what a packet shows is known only some packets later. */
  let isReordered = false
  /** The last that was decoded, held for when it is handed over again. */
  let last: Picture | undefined
  let isWaiting = false

  function drop(picture: Picture): void {
    picture.decoded.release()
    onDropped()
  }

  /** Returns whether a picture came of it. */
  function decodeHeld(): boolean {
    const before = waiting
    let isDecoded = false
    for (const part of held.take()) {
      isDecoded = true
      const isNewest = held.left === 0
      for (const picture of decoder.decode(part)) {
        if (part.times && picture.timeMs < part.times.timeMs) isReordered = true
        offer(picture)
        keep(picture)
        hasPicture = true
        if (isNewest) onPicture(picture)
      }
    }
    if (isDecoded) onDecoded(waiting !== before)
    return waiting !== before
  }

  function offer(picture: Picture): void {
    if (waiting) drop(waiting)
    waiting = picture
  }

  function keep(picture: Picture | undefined): void {
    last?.decoded.release()
    picture?.decoded.retain()
    last = picture
  }

  /** What is not decoded looks like the last one that was. */
  function repeat({ times }: PacketPart): void {
    if (!last || !times || waiting || times.timeMs - last.timeMs < REPEAT_EVERY_MS) return
    last = { ...last, ...times, ptsSeconds: last.ptsSeconds + (times.timeMs - last.timeMs) / 1000 }
    last.decoded.retain()
    waiting = last
  }

  function take(part: PacketPart): void {
    for (const spared of held.hold(part)) onSpared(held.decodingMsOf(spared))
    const isDecoded = ((isWanted(part) || isReordered) && !isWaiting) || !hasPicture || held.isFull || isShown()
    if (!isDecoded) onHeldBack()
    if (!isDecoded || decodeHeld()) onArrived()
    if (!isDecoded && isResting()) repeat(part)
    if (waiting) wake?.()
  }

  async function drain(): Promise<void> {
    try {
      for await (const part of parts) {
        if (part.kind === 'packet') take(part)
        else {
          held.clear()
          keep(undefined)
          hasPicture = false
          isReordered = false
          decoder.open(part)
        }
      }
    } finally {
      held.clear()
      keep(undefined)
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
          // At rest what waits stands for what is held back.
          if (!isResting()) decodeHeld()
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
