import { z } from 'zod'

/** Lists are newest first, a page at a time. A cursor is the id of the last row of the page before. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100).describe('How many at the most.'),
  cursor: z.uuid().optional().describe('From the `Link` header of the page before.'),
})

export interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface Page<T> {
  readonly items: readonly T[]
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined
}

/** A page from one row more than was asked for: if the extra one is there, there is a next page. */
export function toPage<T extends { readonly id: string }>(rows: readonly T[], { limit }: PageRequest): Page<T> {
  const items = rows.slice(0, limit)
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : undefined }
}

/** The `Link` header (RFC 8288) that leads to the next page of `url`. */
export function nextPageLink(url: string, cursor: string): string {
  const next = new URL(url, 'http://relative')
  next.searchParams.delete('api_key')
  next.searchParams.set('cursor', cursor)
  return `<${next.pathname}${next.search}>; rel="next"`
}
