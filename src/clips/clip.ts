import { type Stretch } from '../core/recorded-time.ts'

export const clipStates = ['waiting', 'working', 'ready', 'failed'] as const
export type ClipState = (typeof clipStates)[number]

/** What is to be cut out of recordings. */
export interface ClipOrder extends Stretch {
  readonly accountId: string
  readonly sourceId: string
  /** What it is of, where not of a stretch of the source alone. */
  readonly processId: string | null
  readonly trackId: number | null
  readonly eventId: string | null
  readonly alias: string
  /** `link`: made because somebody opened a link to it, and made again when it is gone. */
  readonly kind: 'user' | 'link'
  /** Of a link's: there is one of each. */
  readonly uniqueKey: string | null
  readonly withBoxes: boolean
}

/** What somebody has cut out of recordings, or will have. */
export interface Clip extends ClipOrder {
  readonly id: string
  readonly state: ClipState
  /** 0…100. */
  readonly progress: number
  /** Why it failed, or what it waits for. */
  readonly error: string | null
  readonly note: string | null
  /** The files, in the order of time; none before it is ready. */
  readonly parts: readonly ClipPart[]
  /** What was not recorded of it. */
  readonly gaps: readonly Stretch[]
  /** Until it is ready an estimate, which is held for it. */
  readonly sizeBytes: number
  /** The node that cuts it, and has its files; null in a service of one node. */
  readonly nodeId: string | null
  /** How often cutting it has begun. */
  readonly attempts: number
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  /** Of a link's: when it was last opened. */
  readonly usedAt: number | null
}

/** One file of a clip. Where the format of the recording changes, another begins. */
export interface ClipPart extends Stretch {
  readonly durationMs: number
  readonly sizeBytes: number
  /** As hex digits, of the whole file, taken when it was cut. */
  readonly sha256: string
  readonly video: ClipVideo
}

export interface ClipVideo {
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly fps: number
}

/** The first part of the names of their files below the data folder. */
export const CLIPS = 'clips'

/** Of a part, counted from 1, below the data folder. Derived from ids alone, so that no row can name another file. */
export const clipFile = ({ accountId, id }: Pick<Clip, 'accountId' | 'id'>, n: number) =>
  `${CLIPS}/${accountId}/${id}-${n}.mp4`

export const clipFiles = (clip: Pick<Clip, 'accountId' | 'id' | 'parts'>) =>
  clip.parts.map((_, index) => clipFile(clip, index + 1))
