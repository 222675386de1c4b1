import { type VideoOutput } from '../core/video-output.ts'
import { createFeedEncoder, linesOfFeed } from './feed.ts'
import { createFrameRate } from './frame-rate.ts'
import { createGrowingTime } from './growing-time.ts'
import { type FromWorker } from './messages.ts'
import { type OverlayTrack } from './overlay/overlay-track.ts'
import { createTrails, type Trail } from './overlay/trails.ts'
import { type Picture } from './picture.ts'
import { createPictureDrawer } from './picture-drawer.ts'
import { createRendition, type Rendition } from './rendition.ts'
import { type OpenSink } from './send/open-sink.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** The processed video: every picture is drawn and encoded once for each resolution that somebody wants. */
export interface VideoOut {
  attach(output: VideoOutput): void
  detach(outputId: string): Promise<void>
  setFeedWanted(isWanted: boolean): void
  /** Nothing was shown yet. */
  readonly isEmpty: boolean
  /** Somebody sees what is shown, or it is kept. */
  readonly isWatched: boolean
  /** The picture is held no longer than the call, but for the last one. */
  show(picture: Picture, tracks: readonly OverlayTrack[]): void
  /** The camera moved: trails move along. */
  carry(move: (point: Point) => Point): void
  /** While there is one, the last picture is shown again and again with it, so that players don't leave. */
  setNotice(notice: string | undefined): void
  close(): Promise<void>
}

const NOTICE_INTERVAL_MS = 200

export function createVideoOut(send: (message: FromWorker) => void, openSink: OpenSink): VideoOut {
  const drawer = createPictureDrawer()
  const feed = createFeedEncoder(send)
  const trails = createTrails()
  const frameRate = createFrameRate()
  const outputTime = createGrowingTime()
  const renditions = new Map<number | null, Rendition>()
  let isClosed = false
  let last: { readonly picture: Picture; readonly shownMs: number } | undefined
  let notice: string | undefined
  let repeating: NodeJS.Timeout | undefined

  function attach(output: VideoOutput): void {
    const rendition = renditions.get(output.lines) ?? createRendition(() => frameRate.fps, openSink)
    renditions.set(output.lines, rendition)
    rendition.attach(output, (state, sentence) => send({ type: 'output', outputId: output.id, state, sentence }))
  }

  async function detach(outputId: string): Promise<void> {
    for (const [lines, rendition] of renditions) {
      if (!(await rendition.detach(outputId)) || rendition.isWanted) continue
      renditions.delete(lines)
      await rendition.close()
    }
  }

  /** Draws one picture at every size that is wanted. Whatever goes wrong with one of them, the others and detection go on. */
  function render(picture: Picture, timeMs: number, tracks: readonly OverlayTrack[], shown: readonly Trail[]): void {
    const outMs = outputTime(timeMs)
    const drawing = { tracks, trails: shown, notice }
    const feedLines = linesOfFeed(picture.decoded.height)
    let isFeedDue = feed.isDue
    for (const [lines, rendition] of renditions) {
      try {
        drawer.draw(picture, lines, drawing, (drawn) => {
          rendition.encode(drawn, outMs)
          if (!isFeedDue || lines !== feedLines) return
          isFeedDue = false
          feed.show(drawn)
        })
      } catch (error) {
        rendition.fail(`The picture cannot be drawn: ${(error as Error).message}`)
      }
    }
    if (!isFeedDue) return
    try {
      drawer.draw(picture, feedLines, drawing, (drawn) => feed.show(drawn))
    } catch (error) {
      feed.fail(error)
    }
  }

  const isWatched = () => renditions.size > 0 || feed.isWanted

  function repeat(): void {
    if (!last || !isWatched() || isClosed) return
    render(last.picture, last.picture.timeMs + performance.now() - last.shownMs, [], [])
  }

  return {
    attach: (output) => void (isClosed || attach(output)),
    detach,
    setFeedWanted(isWanted) {
      feed.setWanted(isWanted)
      if (isWanted && notice !== undefined) repeat()
    },
    get isEmpty() {
      return last === undefined
    },
    get isWatched() {
      return isWatched()
    },
    show(picture, tracks) {
      if (isClosed) return
      last?.picture.decoded.release()
      picture.decoded.retain()
      last = { picture, shownMs: performance.now() }
      frameRate.note(picture.timeMs)
      if (isWatched()) render(picture, picture.timeMs, tracks, trails.update(picture.timeMs, tracks))
    },
    carry: (move) => trails.carry(move),
    setNotice(text) {
      notice = text
      clearInterval(repeating)
      repeating = text === undefined ? undefined : setInterval(repeat, NOTICE_INTERVAL_MS)
      if (text !== undefined) repeat()
    },
    async close() {
      isClosed = true
      clearInterval(repeating)
      for (const rendition of renditions.values()) await rendition.close()
      renditions.clear()
      last?.picture.decoded.release()
      last = undefined
      await feed.close()
      drawer.close()
    },
  }
}
