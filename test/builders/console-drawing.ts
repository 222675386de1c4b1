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
  readonly boxes: readonly Box[]
}

/** From now on, what is drawn over each picture, beside the picture's own time. */
export async function watchDrawing(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    window.drawn = []
    let shown = 0
    const video = document.querySelector('.pane video')
    const next = (_now, frame) => {
      shown = frame.rtpTimestamp
      video.requestVideoFrameCallback(next)
    }
    video.requestVideoFrameCallback(next)
    document.querySelector('.pane canvas').addEventListener('drawn', ({ detail }) => {
      // The page's own look at this picture came first, or comes right after.
      queueMicrotask(() => requestAnimationFrame(() => window.drawn.push({ shown, rtp: detail.rtp_timestamp ?? null, boxes: detail.boxes })))
    })
  })()`)
}

export const drawnSoFar = (page: Page) => page.evaluate<Drawn[]>('window.drawn')

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
        if (!data) continue
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
