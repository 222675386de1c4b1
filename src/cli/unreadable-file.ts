/** Why a file that the user named cannot be read, in a sentence. */
export function unreadableFile(file: string, error: unknown): Error {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
  return new Error(isMissing ? `There is no file ${file}.` : `${file} cannot be read: ${(error as Error).message}.`, {
    cause: error,
  })
}
