const REQUIRED = ['AERIE_OBJECT_STORE_URL', 'AERIE_OBJECT_STORE_KEY', 'AERIE_OBJECT_STORE_SECRET'] as const
const OPTIONAL = ['AERIE_OBJECT_STORE_REGION', 'AERIE_OBJECT_STORE_LINKS', 'AERIE_OBJECT_STORE_KEEP_LOCAL'] as const

/** An object store is set whole or not at all: one that was set by half would silently keep nothing. */
export function objectStoreProblems(given: Readonly<Record<string, unknown>>): string[] {
  const isGiven = (name: string) => given[name] !== undefined
  const first = [...REQUIRED, ...OPTIONAL].find(isGiven)
  const missing = REQUIRED.filter((name) => !isGiven(name))
  if (first === undefined || missing.length === 0) return []
  return [`${first}: an object store needs ${missing.join(' and ')} too; give all of them, or leave all out`]
}
