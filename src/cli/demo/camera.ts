import { serveParent } from '../../supervise/child-entry.ts'
import { type ClipCamera, openClipCamera } from './clip-camera.ts'
import { loadClip } from './clip.ts'

/** What the demo's camera is told. */
export interface CameraOrder {
  readonly file: string
  readonly url: string
}

/** The demo's camera, a process of its own as a real one would be: it ends when it is told to, or when the demo is gone. */
let camera: ClipCamera | undefined

serveParent<CameraOrder, never>(
  ({ file, url }) => {
    // Its parent starts it again.
    run(file, url).catch(() => process.exit(1))
  },
  () => camera?.close(),
)

async function run(file: string, url: string): Promise<void> {
  camera = await openClipCamera(await loadClip(file), url)
  await camera.ended
}
