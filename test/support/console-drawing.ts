import { type Page } from 'playwright-core'

/** What the console draws over live video, beside what the service says was seen. */

export interface Box {
  readonly track_id: number
  readonly box: readonly number[]
}
export interface Drawn {
  /** Of the picture that is on the screen. */
  readonly shown: number
  /** Of what is drawn over it. */
  readonly rtp: number | null
  /** What the page says that it drew. */
  readonly boxes: readonly Box[]
  readonly painted: Painted
}

/** What the canvas's pixels say. */
export interface Painted {
  /** Share of each box's outline that is painted over entirely, in the order of the boxes. */
  readonly outlines: readonly number[]
  /** Share of the places some pixels inside and outside of the outlines that are left free; 1 without any. */
  readonly besideFree: number
  /** Share of all pixels with anything on them. */
  readonly covered: number
}

/** From now on, what is drawn over each picture, beside the picture's own time and what the pixels say. */
export async function watchDrawing(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    ${paintedIn.toString()}
    window.drawn = []
    let shown = 0
    const video = document.querySelector('.pane video')
    const next = (_now, frame) => {
      shown = frame.rtpTimestamp
      video.requestVideoFrameCallback(next)
    }
    video.requestVideoFrameCallback(next)
    document.querySelector('.pane canvas').addEventListener('drawn', ({ target, detail }) => {
      const painted = paintedIn(target, detail.boxes)
      // The page's own look at this picture came first, or comes right after.
      queueMicrotask(() => requestAnimationFrame(() => {
        window.drawn.push({ shown, rtp: detail.rtp_timestamp ?? null, boxes: detail.boxes, painted })
        if (window.drawn.length > ${KEPT}) window.drawn.shift()
      }))
    })
  })()`)
}

/** Eight seconds of 25 fps: under load the page should not grow with what nobody looks at any more. */
const KEPT = 200

/** The latest of what was drawn, oldest first. */
export const drawnSoFar = (page: Page) => page.evaluate<Drawn[]>('window.drawn')

/** Runs in the page, and so uses nothing from around it. */
function paintedIn(canvas: CanvasLike, boxes: readonly Box[]): Painted {
  const { width, height } = canvas
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
  const isInside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height
  const alphaAt = (x: number, y: number) => data[(Math.floor(y) * width + Math.floor(x)) * 4 + 3]!
  const share = (places: readonly (readonly number[])[], is: (alpha: number) => boolean) => {
    const inside = places.filter(([x, y]) => isInside(x!, y!))
    return inside.length === 0 ? 1 : inside.filter(([x, y]) => is(alphaAt(x!, y!))).length / inside.length
  }
  /** Places on a box that is so many pixels larger on every side. */
  const around = ({ box }: Box, more: number) => {
    const [x = 0, y = 0, boxWidth = 0, boxHeight = 0] = box
    const left = x * width - more
    const right = (x + boxWidth) * width + more
    const top = y * height - more
    const bottom = (y + boxHeight) * height + more
    // Not at the corners, which are round.
    return Array.from({ length: 10 }, (_, step) => (step + 0.5) / 10).flatMap((along) => [
      [left + (right - left) * along, top],
      [left + (right - left) * along, bottom],
      [left, top + (bottom - top) * along],
      [right, top + (bottom - top) * along],
    ])
  }
  let covered = 0
  for (let at = 3; at < data.length; at += 4) if (data[at]! > 0) covered++
  return {
    outlines: boxes.map((box) => share(around(box, 0), (alpha) => alpha > 250)),
    besideFree: share(
      boxes.flatMap((box) => [...around(box, 6), ...around(box, -6)]),
      (alpha) => alpha === 0,
    ),
    covered: covered / (width * height),
  }
}

/** As much of the browser's canvas as is needed; the tests are compiled without its types. */
interface CanvasLike {
  readonly width: number
  readonly height: number
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
  }
}

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where the picture and what is drawn over it stand on the page, and the picture's own shape. */
export const layoutOf = (page: Page) =>
  page.evaluate<{ video: Rectangle; canvas: Rectangle; shape: number }>(`(() => {
    const video = document.querySelector('.pane video')
    const rectangle = (element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x, y, width, height }
    }
    return {
      video: rectangle(video),
      canvas: rectangle(document.querySelector('.pane canvas')),
      shape: video.videoWidth / video.videoHeight,
    }
  })()`)

/** Whether what is drawn is of the picture itself, or of the last one before it that was looked at. */
export function isInStep({ shown, rtp }: Drawn, seen: ReadonlyMap<number, unknown>): boolean {
  if (rtp === null) return false
  const ticksTo = (other: number) => (other - rtp) >>> 0
  return ticksTo(shown) < 2 ** 31 && ![...seen.keys()].some((one) => ticksTo(one) > 0 && ticksTo(one) <= ticksTo(shown))
}

/** What the service says was seen, by the frame's RTP timestamp. */
export async function listenToDetections({
  url,
  key,
}: {
  url: string
  key: string
}): Promise<{ seen: Map<number, Box[]>; stop: () => void }> {
  const headers = { api_key: key }
  const processes = (await (await fetch(`${url}/processes?state=live`, { headers })).json()) as {
    process_uuid: string
  }[]
  const leaving = new AbortController()
  const response = await fetch(`${url}/process/${processes.at(-1)!.process_uuid}/events`, {
    headers,
    signal: leaving.signal,
  })
  const seen = new Map<number, Box[]>()
  const read = async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const messages = (text + chunk).split('\n\n')
      text = messages.pop()!
      for (const message of messages) {
        const data = /^data: (.*)$/m.exec(message)?.[1]
        if (!data || message.startsWith('event: ')) continue
        const { frame, active_tracks } = JSON.parse(data)
        seen.set(
          frame.rtp_timestamp,
          active_tracks.map((track: { track_id: number; scaled_bbox: number[] }) => ({
            track_id: track.track_id,
            box: track.scaled_bbox,
          })),
        )
      }
    }
  }
  read().catch(() => undefined)
  return { seen, stop: () => leaving.abort() }
}
