/**
 * Where the key is, or the key itself on a terminal, where somebody sees it: anything else may be a file, a journal or a collector
 * of logs, in which it would stay.
 */
export function masterKeyNotice(key: string, file: string, isTerminal: boolean): string {
  if (!isTerminal) return `Your master key is in ${file}.`
  return `Your master key, shown only now (also in ${file}):\n\n    ${key}`
}
