import { type Scene } from '../../core/scene.ts'
import { type EndReason } from './end-reason.ts'

/** Something that an alert tells of. */
export interface Happening {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What an alert does with every scene of a process. Its time is that of the scenes; it knows neither clock nor network. */
export interface Analysis {
  update(scene: Scene): readonly Happening[]
  /** How many were told to go on, or wait to be told. */
  readonly unfinished: number
  /** What is to be told should nothing more be seen: what goes on is over, what waits is released. Changes nothing. */
  end(reason: EndReason): readonly Happening[]
  /** Nothing has been seen for longer than tracks live; more may come. */
  interrupt?(): readonly Happening[]
}

/** What an analysis may ask for beside the scenes. */
export interface AnalysisDeps {
  /** What a track looks like, as a JPEG in base64; null when there is no picture yet. */
  readonly pictureOf: (trackId: number) => string | null
}

/** For the many scenes in which nothing happens. */
export const nothing: readonly Happening[] = []

/**
 * The event `update` says where something is now, which is all that the one before said: it comes often, a newer one
 * takes its place while it waits, and it costs no write of progress.
 */
export function isUpdate({ event }: Happening): boolean {
  return event === 'update'
}
