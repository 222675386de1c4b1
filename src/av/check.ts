import { FFmpegError } from 'node-av'

/** FFmpeg answers a negative number when something failed. */
export function check(result: number): void {
  if (result < 0) throw new FFmpegError(result)
}
