import { normalize } from 'node:path'

/**
 * Whether a name of a file, below the data folder, leads into this folder of it. To be asked before something is removed that no row
 * names any more: jobs come back with a backup, which somebody may have made up.
 */
export function isFileIn(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/`) && !file.endsWith('/') && !file.includes('\0') && normalize(file) === file
}
