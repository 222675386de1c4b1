import { z } from 'zod'
import { queryList } from './query-list.ts'
import { MAX_SEARCHED_SOURCES } from './searched-owners.ts'

/** Fields by which lists of what was seen are searched. */

export const ClassWord = z.string().min(1).max(100)

export const SourceUuids = queryList(z.uuid(), MAX_SEARCHED_SOURCES)
  .optional()
  .describe(`Comma-separated, up to ${MAX_SEARCHED_SOURCES}: of any of these sources.`)

interface NamedSources {
  readonly source_uuid?: string | undefined
  readonly source_uuids?: readonly string[] | undefined
}

export function checkOneOfSources({ source_uuid, source_uuids }: NamedSources, context: z.RefinementCtx): void {
  if (source_uuid === undefined || source_uuids === undefined) return
  context.addIssue({ code: 'custom', path: ['source_uuids'], message: 'Give source_uuid or source_uuids, not both.' })
}
