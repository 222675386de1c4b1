/** In longer texts a fault is searched for only where the engine says its place. */
const MAX_SEARCHED_LENGTH = 100_000

/** What is wrong with a text that `JSON.parse` refused, without the engine's words. */
export function jsonFault(text: string, error: Error): string {
  if (error instanceof RangeError) return 'it is nested too deeply.'
  const at = placeOf(text, error)
  if (at === undefined) return 'look for a missing quote, comma or bracket.'
  if (at >= text.length) return 'it ends too early; close every quote and bracket.'
  const place = `character ${at + 1} is wrong there`
  if (text[at] === "'") return `${place}: use double quotes for names and texts.`
  return `${place}; look for a missing quote, comma or bracket before it.`
}

/** The engine does not say the place of every fault: there the beginnings of the text tell, each of which is good up to it. */
function placeOf(text: string, error: Error): number | undefined {
  const told = toldPlace(text, error)
  if (told !== undefined) return told
  if (text.length > MAX_SEARCHED_LENGTH) return undefined
  let good = 0
  let bad = text.length
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (isGoodBeginning(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return bad - 1
}

function toldPlace(text: string, { message }: Error): number | undefined {
  if (message.startsWith('Unexpected end')) return text.length
  const [, place] = /at position (\d+)/.exec(message) ?? []
  return place === undefined ? undefined : Number(place)
}

function isGoodBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    return toldPlace(text, error as Error) === text.length
  }
}
