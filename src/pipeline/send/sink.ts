import { type OutputState } from '../../core/video-output.ts'
import { type EncodedPicture } from '../picture.ts'

export interface CodedPicture extends EncodedPicture {
  /** The parts of `data`. */
  readonly nalUnits: readonly Buffer[]
}

/** Where coded pictures go. It never throws and never makes anyone wait: what can't be sent is left out. */
export interface Sink {
  write(picture: CodedPicture): void
  /** Resolves when the connection or the file is closed. */
  close(): Promise<void>
}

export type OnSinkState = (state: OutputState, sentence: string | null) => void
