import { createJpegEncoder } from './encode/jpeg-encoder.ts'
import { type OutputPicture } from './encode/output-picture.ts'
import { type ResolutionSetting, sizeFor } from './encode/output-size.ts'
import { createPictureScaler } from './encode/picture-scaler.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { type FromWorker } from './messages.ts'
import { createOverlay, type Overlay } from './overlay/overlay.ts'
import { type OverlayTrack } from './overlay/overlay-track.ts'
import { createTrails, type Trail } from './overlay/trails.ts'
import { type Picture } from './picture.ts'
import { createFrameRate } from './frame-rate.ts'
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
  /** The picture is held no longer than the call, but for the last one. */
  show(picture: Picture, tracks: readonly OverlayTrack[]): void
  /** The camera moved: trails move along. */
  carry(move: (point: Point) => Point): void
  /** While there is one, the last picture is shown again and again with it, so that players don't leave. */
  setNotice(notice: string | undefined): void
  close(): Promise<void>
}

/** Higher feeds are not worth their bytes: it is for quick looks. */
const feedLines = 720
const feedEveryMs = 90
const noticeEveryMs = 200
const MIN_STEP_MS = 20

export function createVideoOut(send: (message: FromWorker) => void, openSink: OpenSink): VideoOut {
  const scaler = createPictureScaler()
  /** One for each size, because labels keep their places. */
  const overlays = new Map<ResolutionSetting, Overlay>()
  const jpeg = createJpegEncoder()
  const trails = createTrails()
  const frameRate = createFrameRate()
  const renditions = new Map<number | null, Rendition>()
  let isClosed = false
  let isFeedWanted = false
  let feedShownMs = -Infinity
  let last: { readonly picture: Picture; readonly shownMs: number } | undefined
  let notice: string | undefined
  /** Output time must grow: a file goes on where it was paused, while its outputs went on. */
  let shiftMs = 0
  let outMs = -Infinity
  let repeating: NodeJS.Timeout | undefined
  let warned: string | undefined

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
  function render(
    picture: Picture,
    timeMs: number,
    tracks: readonly OverlayTrack[],
    drawnTrails: readonly Trail[],
  ): void {
    if (timeMs + shiftMs <= outMs) shiftMs = outMs + MIN_STEP_MS - timeMs
    outMs = timeMs + shiftMs
    const { frame, width, height } = picture.decoded
    const content = { inputSize: { width, height }, tracks, trails: drawnTrails, notice }
    const isFeedDue = isFeedWanted && performance.now() - feedShownMs >= feedEveryMs
    const feedSetting: ResolutionSetting = height > feedLines ? '720p' : null
    let isFed = false
    for (const [lines, rendition] of renditions) {
      const setting = settingOf(lines)
      try {
        draw(setting, (drawn) => {
          rendition.encode(drawn, outMs)
          if (!isFeedDue || isFed || setting !== feedSetting) return
          isFed = true
          feed(drawn)
        })
      } catch (error) {
        rendition.fail(`The picture cannot be drawn: ${(error as Error).message}`)
      }
    }
    if (!isFeedDue || isFed) return
    try {
      draw(feedSetting, feed)
    } catch (error) {
      warn(error)
    }

    function draw(setting: ResolutionSetting, use: (drawn: OutputPicture) => void): void {
      const scaled = scaler.scale(frame, sizeFor(setting, { width, height }))
      try {
        const overlay = overlays.get(setting) ?? createOverlay()
        overlays.set(setting, overlay)
        overlay.draw(scaled.planes, content)
        use(scaled)
      } finally {
        scaled.release()
      }
    }
  }

  function feed(drawn: OutputPicture): void {
    feedShownMs = performance.now()
    drawn.retain()
    jpeg
      .encode(drawn)
      .then((data) => data && isFeedWanted && send({ type: 'picture', jpeg: data }))
      .catch(warn)
      .finally(() => drawn.release())
  }

  /** Once for each thing that goes wrong, not once a picture. */
  function warn(error: unknown): void {
    const sentence = `The feed has no picture: ${(error as Error).message}`
    if (sentence !== warned) send({ type: 'warning', sentence })
    warned = sentence
  }

  const isWatched = () => renditions.size > 0 || isFeedWanted

  function repeat(): void {
    if (!last || !isWatched() || isClosed) return
    render(last.picture, last.picture.timeMs + performance.now() - last.shownMs, [], [])
  }

  return {
    attach: (output) => void (isClosed || attach(output)),
    detach,
    setFeedWanted(isWanted) {
      isFeedWanted = isWanted
      if (isWanted && notice !== undefined) repeat()
    },
    get isEmpty() {
      return last === undefined
    },
    show(picture, tracks) {
      if (isClosed) return
      last?.picture.decoded.release()
      picture.decoded.retain()
      last = { picture, shownMs: performance.now() }
      frameRate.note(picture.timeMs)
      const drawnTrails = trails.update(picture.timeMs, tracks)
      if (isWatched()) render(picture, picture.timeMs, tracks, drawnTrails)
    },
    carry: (move) => trails.carry(move),
    setNotice(text) {
      notice = text
      clearInterval(repeating)
      repeating = text === undefined ? undefined : setInterval(repeat, noticeEveryMs)
      if (text !== undefined) repeat()
    },
    async close() {
      isClosed = true
      clearInterval(repeating)
      for (const rendition of renditions.values()) await rendition.close()
      renditions.clear()
      last?.picture.decoded.release()
      last = undefined
      await jpeg.close()
      scaler.close()
    },
  }
}

function settingOf(lines: number | null): ResolutionSetting {
  return lines === null ? null : (`${lines}p` as ResolutionSetting)
}
