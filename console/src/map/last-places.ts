import { type DetectionMessage } from '@aerie/client'

/** What a process saw last, and when that was heard. */
export interface Heard {
  readonly scene: DetectionMessage
  readonly heardAtMs: number
}

/** Where the camera of each process was last, for as long as the console is open: whoever comes back to the map finds it there. */
const places = new Map<string, Heard>()

export function rememberPlace({ scene, heardAtMs }: Heard): void {
  if (scene.camera) places.set(scene.process_uuid, { scene: { ...scene, active_tracks: [] }, heardAtMs })
}

export function findPlace(processId: string): Heard | undefined {
  return places.get(processId)
}

/** Of others nothing is remembered. */
export function keepPlacesOf(processIds: { has(processId: string): boolean }): void {
  for (const id of places.keys()) if (!processIds.has(id)) places.delete(id)
}
