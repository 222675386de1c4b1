import { type PictureLimit } from './picture-limit.ts'

/** Room for models that users bring, of up to a gigabyte, however small the pictures are. */
const MIN_WORKER_BYTES = 3 * 2 ** 30
/** Node, an embedded model and what it needs while it looks. */
const BASE_BYTES = 2 ** 30
/** The decoder's pictures and those on their way through the pipeline (43), and encoders of as large a picture. */
const BYTES_PER_PIXEL = 60

/** What the worker of a process may take, unless the operator says otherwise. */
export function defaultWorkerBytes({ width, height }: PictureLimit): number {
  return Math.max(MIN_WORKER_BYTES, BASE_BYTES + BYTES_PER_PIXEL * width * height)
}

/** What recorders and makers of HLS may take, who pass packets on without decoding them. */
export const MAX_REMUX_WORKER_BYTES = 2 ** 30

/** What the enhancement may take: models that read text, and one picture after the other. */
export const MAX_ENHANCEMENT_WORKER_BYTES = 2 ** 31

/** What cutting a clip may take: a decoder, an encoder, and packets on their way. */
export const MAX_CUTTING_WORKER_BYTES = 1.5 * 2 ** 30
