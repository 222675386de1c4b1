import { type OutputState } from '../../core/output-status.ts'

/** One picture of H.264; a keyframe begins with its parameter sets. */
export interface CodedPicture {
  /** As Annex B. */
  readonly data: Buffer
  /** The parts of `data`. */
  readonly nalUnits: readonly Buffer[]
  readonly ptsMs: number
  readonly isKeyframe: boolean
}

/** Where coded pictures go. It never throws and never makes anyone wait: what can't be sent is left out. */
export interface Sink {
  write(picture: CodedPicture): void
  /** Resolves when the connection or the file is closed. */
  close(): Promise<void>
}

export type OnSinkState = (state: OutputState, sentence: string | null) => void
