/** One way in which a server would like to be told who we are (RFC 7235 §2.1). */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string
  /** Names in lower case, values without quotes. */
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * Reads `WWW-Authenticate`: `Digest realm="a, b", nonce="c", Basic realm="d"`. Commas part parameters as well as
 * challenges, so a word without `=` behind it begins the next one. What makes no sense is passed over.
 */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = []
  let at = 0

  /** What matches here, which is then behind us. */
  function take(pattern: RegExp): string {
    pattern.lastIndex = at
    const text = pattern.exec(header)?.[0] ?? ''
    at += text.length
    return text
  }

  while (at < header.length) {
    take(/[\s,]*/y)
    const word = take(/[^\s,="]+/y)
    if (!word) {
      at++
      continue
    }
    if (!take(/\s*=\s*/y)) {
      challenges.push({ scheme: word.toLowerCase(), parameters: new Map() })
      continue
    }
    const quoted = take(/"(?:[^"\\]|\\.)*"?/y)
    const value = quoted ? quoted.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : take(/[^\s,]*/y)
    challenges.at(-1)?.parameters.set(word.toLowerCase(), value)
  }
  return challenges
}
