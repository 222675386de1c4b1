import { FFmpegError } from 'node-av'

/** FFmpeg answers a negative number when something failed. */
export function check(result: number): void {
  if (result < 0) throw new FFmpegError(result)
}

/** By FFmpeg's words, which are the same for many things; the first that fits. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/\b40[13]\b|permission denied/i, 'The server refuses the secret, or wants one; check what the address carries.'],
  [/\b404\b/, 'Nothing is sent to that path; check it, and that the sender is running.'],
  [/refused/i, 'Nothing listens there; check host and port.'],
  [/timed out/i, 'The server did not answer in time; check the network.'],
  [
    /reset by peer|broken pipe/i,
    'The server broke the connection off; check the path, and that the sender is running.',
  ],
  // It says the same of a server that does not answer as of one that answers nonsense.
  [/invalid data|end of file|input\/output/i, 'It takes the connection, but sends no video; is that address a camera?'],
]

/** Why a stream cannot be read, as a sentence of ours: FFmpeg's own words mean nothing to the person who set the sender up. */
export function streamFault(error: unknown): string {
  if (!(error instanceof FFmpegError)) return (error as Error).message
  const known = sentences.find(([words]) => words.test(error.message))
  return known?.[1] ?? 'It cannot be read as video; check the address, and that it plays elsewhere.'
}

/** What FFmpeg said before it was put into a sentence, for the log; undefined where it said nothing. */
export function ffmpegMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof FFmpegError ? error.message : ffmpegMessage(error.cause)
}

/** Why a file cannot be opened, as a sentence; whatever FFmpeg says of it, it comes to the same for its owner. */
export function fileFault(error: unknown): string {
  if (!(error instanceof FFmpegError)) return (error as Error).message.replace(/[^.]$/, '$&.')
  return 'It holds no MP4, MOV or AVI video that can be read: it is another kind of file, or damaged. Export it again, and check that it plays.'
}
