import { type BuiltProgram, buildProgram } from './built-program.ts'

export type { BuiltProgram } from './built-program.ts'

/** The media server, for tests that start its process. */
export function buildMediaServer(): Promise<BuiltProgram> {
  return buildProgram("import './media/media-server.ts'")
}
