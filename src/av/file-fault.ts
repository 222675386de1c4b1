import { FFmpegError } from 'node-av'

/** Why a file cannot be opened, as a sentence; whatever FFmpeg says of it, it comes to the same for its owner. */
export function fileFault(error: unknown): string {
  if (!(error instanceof FFmpegError)) return (error as Error).message.replace(/[^.]$/, '$&.')
  return 'It holds no MP4, MOV or AVI video that can be read: it is another kind of file, or damaged. Export it again, and check that it plays.'
}
