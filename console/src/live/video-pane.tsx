import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { listen } from './detection-events.ts'
import { useInView } from './in-view.ts'
import { startLivePlayer, type Way } from './live-player.ts'
import { MotionJpeg } from './motion-jpeg.tsx'
import { drawOverlay } from './overlay.ts'
import { OldPictureNote } from './old-picture-note.tsx'
import { oldPictureOf } from './picture-age.ts'
import { nameOf, pathOf, type WatchedProcess } from './process.ts'
import { createSceneBuffer } from './scene-buffer.ts'
import { createTrails } from './trails.ts'
import { waysOf } from './ways.ts'

export interface VideoPaneProps {
  readonly watched: WatchedProcess
  /** A small picture is enough. */
  readonly isPreview?: boolean
}

/** The picture of a process with its boxes. Nothing is played that nobody can see. */
export function VideoPane({ watched, isPreview = false }: VideoPaneProps) {
  const { process, source } = watched
  const { process_uuid: processId } = process
  const path = pathOf(watched)
  const label = `Live picture of ${nameOf(watched)}`
  const pane = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  // A preview and the feed come with the process's first picture; the source itself is there.
  const isAwaited = process.started_at === null && (isPreview || path === null)
  const firstWay = path === null && !isAwaited ? 'MJPEG' : 'connecting'
  const way = useSignal<Way>(firstWay)
  const isInView = useInView(pane)
  const oldPicture = oldPictureOf(process, isPreview || path === null ? undefined : source)
  // Often known only after the picture is there, which is no reason to begin anew.
  const known = useRef(source?.video)
  known.current = source?.video

  useEffect(() => {
    way.value = firstWay
    if (path === null || isAwaited || !isInView.value) return
    const leaving = new AbortController()
    const scenes = createSceneBuffer()
    const trails = createTrails()
    const player = startLivePlayer({
      video: video.current!,
      path,
      isPreview,
      ways: () => waysOf(known.current),
      scenes,
      onPicture(scene) {
        if (!canvas.current) return
        if (scene) trails.add(scene)
        drawOverlay(canvas.current, scene, trails)
      },
      onWay: (next) => (way.value = next),
      signal: leaving.signal,
    })
    const leave = listen(processId, {
      onScene(scene) {
        scenes.add(scene)
        player.noteScene(scene)
      },
    })
    return () => {
      leave()
      leaving.abort()
      // The picture goes with the player; its boxes would float over nothing.
      if (canvas.current) drawOverlay(canvas.current, undefined, trails)
    }
  }, [processId, path, isAwaited, isPreview, isInView.value])
  useEffect(() => keepSharp(canvas.current), [])

  return (
    <div ref={pane} class={oldPicture ? 'pane dimmed' : 'pane'} data-way={way.value}>
      <video
        ref={video}
        muted
        autoplay
        playsInline
        aria-label={label}
        onLoadedMetadata={takeShape}
        hidden={way.value === 'MJPEG'}
      />
      <canvas ref={canvas} hidden={way.value === 'MJPEG'} aria-hidden="true" />
      {way.value === 'MJPEG' && isInView.value && (
        <MotionJpeg key={processId} processId={processId} label={label} onLoad={takeShape} />
      )}
      {oldPicture && <OldPictureNote picture={oldPicture} />}
      <span class="way">{way.value === 'connecting' ? 'connecting …' : way.value}</span>
    </div>
  )
}

/** The pane is as wide and high as the picture, so that the canvas lies exactly over it. */
function takeShape(event: Event): void {
  const shown = event.currentTarget as HTMLVideoElement | HTMLImageElement
  const [width, height] =
    shown instanceof HTMLVideoElement
      ? [shown.videoWidth, shown.videoHeight]
      : [shown.naturalWidth, shown.naturalHeight]
  if (width && height) shown.parentElement!.style.aspectRatio = `${width} / ${height}`
}

/** As many pixels as the screen has, whatever the size. */
function keepSharp(canvas: HTMLCanvasElement | null): (() => void) | undefined {
  if (!canvas) return undefined
  const observer = new ResizeObserver(() => {
    canvas.width = Math.round(canvas.clientWidth * devicePixelRatio)
    canvas.height = Math.round(canvas.clientHeight * devicePixelRatio)
  })
  observer.observe(canvas)
  return () => observer.disconnect()
}
