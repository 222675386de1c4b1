/** What stands in a header or a query, if it is one text and not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The credential in `Authorization: Bearer …` (RFC 6750 §2.1). */
export function bearerOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  return /^Bearer (\S+)$/i.exec(textOf(headers['authorization']) ?? '')?.[1]
}

/** How often a header was sent: Node joins or drops all but one. `name` in lower case. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length
}
