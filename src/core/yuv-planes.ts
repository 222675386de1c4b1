import { type Size } from './detection.ts'

/** A picture in memory: brightness for every pixel, colour (`u`, `v`) for every two by two. */
export interface YuvPlanes extends Size {
  readonly y: Uint8Array
  readonly u: Uint8Array
  readonly v: Uint8Array
  /** Bytes from one line to the next, of the brightness and of each colour plane. */
  readonly strideY: number
  readonly strideUV: number
}
