import { type Scene } from '../../core/scene.ts'

/** Something that an alert tells of. */
export interface Happening {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Why something that went on is over although nobody saw it end. */
export type EndReason =
  | 'process-ended'
  | 'alert-changed'
  | 'alert-deactivated'
  | 'source-interrupted'
  | 'service-stopping'
  | 'service-restart'

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

/** For the many scenes in which nothing happens. */
export const nothing: readonly Happening[] = []
