import { type z } from 'zod'
import { type Alert, type Setup, Setup as SetupSchema } from '../../src/alerts/alert.ts'
import { orderedUuid } from '../../src/core/ordered-uuid.ts'
import { type Scene, type SceneTrack } from '../../src/core/scene.ts'

const output = [{ type: 'mqtt' as const, config: { host: 'broker', topic: 'alerts' } }]

type SetupInput = z.input<typeof SetupSchema>
type WithoutOutput<T> = T extends unknown ? Omit<T, 'output'> & { output?: SetupInput['output'] } : never

/** A setup as the API would make it, with one broker as output unless said otherwise. */
export function aSetup<Type extends Setup['type']>(
  input: { type: Type } & WithoutOutput<Extract<SetupInput, { type: Type }>>,
) {
  return SetupSchema.parse({ output, ...input }) as Extract<Setup, { type: Type }>
}

/** One of a type, each as quick to notify as it can be. */
export const search = aSetup({ type: 'filter-search', trigger: { for_seconds: 0, cooldown_seconds: 0 } })
export const follow = aSetup({ type: 'follow-track' })
export const dense = aSetup({ type: 'grid-density', trigger: { min_count: 1, for_seconds: 0, cooldown_seconds: 0 } })

export function anAlert(change: Partial<Alert> = {}): Alert {
  return {
    id: orderedUuid(),
    accountId: 'account',
    alias: 'yard',
    status: 'active',
    setup: search,
    processId: null,
    sourceIds: null,
    createdAt: 1,
    updatedAt: 1,
    ...change,
  }
}

export const FRAME = { width: 1000, height: 500 }
/** The height of a person of `aTrack`, and half as wide. */
const HEIGHT = 50

/** A person whose foot point is at these fractions of the picture. */
export function aTrack(id: number, [x, y]: readonly [number, number], change: Partial<SceneTrack> = {}): SceneTrack {
  const [width, height] = [HEIGHT / 2, HEIGHT]
  return {
    id,
    classId: 1,
    className: 'person',
    box: { x: x * FRAME.width - width / 2, y: y * FRAME.height - height, width, height },
    confidence: 0.8,
    ...change,
  }
}

/** The same at a place on Earth, wherever in the picture. */
export function aTrackAt(id: number, latitudeDeg: number, longitudeDeg: number, errorM = 1): SceneTrack {
  return aTrack(id, [0.5, 0.5], {
    location: {
      azimuthDeg: 0,
      elevationDeg: 0,
      distanceM: 100,
      point: { latitudeDeg, longitudeDeg, altitudeM: 0 },
      errorM,
      telemetryAgeMs: 0,
    },
  })
}

export function sceneAt(takenAtMs: number, tracks: readonly SceneTrack[]): Scene {
  return { takenAtMs, frame: { ...FRAME, ptsSeconds: takenAtMs / 1000, rtpTimestamp: null }, tracks }
}
