import { serveParent } from '../../supervise/child-entry.ts'
import { type CameraOrder, type ClipCamera, openClipCamera } from './clip-camera.ts'
import { loadClip } from './clip.ts'

/** The demo's camera, a process of its own as a real one would be: it ends on request, or when the demo is gone. */
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
