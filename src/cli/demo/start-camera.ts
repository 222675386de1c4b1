import { fileURLToPath } from 'node:url'
import { systemClock } from '../../core/clock.ts'
import { type Log } from '../../observe/log.ts'
import { startChild } from '../../supervise/child.ts'
import { alwaysRestart } from '../../supervise/restart-policy.ts'
import { type CameraOrder } from './clip-camera.ts'
import { CAMERA_PATH } from './steps.ts'

const entry = new URL('./camera.js', import.meta.url)
const clip = fileURLToPath(new URL('../../../assets/demo/people-walking.mp4', import.meta.url))

/** Publishes the clip over and over; `onCrash` is called each time that it ends by itself and is started again. */
export function startCamera(
  { rtspUrl, key }: { readonly rtspUrl: string; readonly key: string },
  log: Log,
  onCrash = () => {},
): { stop(): Promise<void> } {
  const url = `${rtspUrl}/${CAMERA_PATH}?api_key=${encodeURIComponent(key)}`
  return startChild<CameraOrder, never>({
    name: 'demo camera',
    entry,
    clock: systemClock,
    log,
    restart: alwaysRestart,
    onStart: (send) => send({ file: clip, url }),
    onMessage: () => {},
    onExit: (_exit, verdict) => verdict === 'restart' && onCrash(),
  })
}
