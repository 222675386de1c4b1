import { type ReadCharacter } from './ctc.ts'
import { formatOf } from './plate-formats.ts'

/** As what the round seals are read that stand after the district on the plates of Germany and its neighbours. */
const roundOnes = 'O0Q8B69SGD'
/** A seal is hardly ever read surely, and characters on a plate where one was read at all are. */
const [MAX_SEAL_CONFIDENCE, MIN_SURE_CONFIDENCE] = [0.65, 0.85]
const withSeal = /^L{2,5}D{1,4}$/

/** Leaves a seal out: one unsure round character after a letter, in what is otherwise a sure number of such a country. */
export function withoutSeal(characters: readonly ReadCharacter[]): readonly ReadCharacter[] {
  const unsure = characters.filter(({ confidence }) => confidence < MIN_SURE_CONFIDENCE)
  const [seal] = unsure
  if (unsure.length !== 1 || seal!.confidence > MAX_SEAL_CONFIDENCE || !roundOnes.includes(seal!.character))
    return characters
  const at = characters.indexOf(seal!)
  if (at === 0 || !/[A-Z]/.test(characters[at - 1]!.character)) return characters
  const others = characters.filter((read) => read !== seal)
  return withSeal.test(formatOf(others.map(({ character }) => character).join(''))) ? others : characters
}
