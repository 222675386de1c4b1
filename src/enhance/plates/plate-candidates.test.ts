import { describe, expect, test } from 'vitest'
import { type ReadCharacter } from './ctc.ts'
import { withoutSeal } from './plate-candidates.ts'

describe('seals', () => {
  /** Every character is sure, but for those before a `?`. */
  function read(text: string): ReadCharacter[] {
    return [...text.matchAll(/(\w)(\?)?/g)].map(([, character, unsure]) => {
      return { character: character!, confidence: unsure ? 0.55 : 0.99, alternatives: [], position: 0 }
    })
  }

  test.each([
    { name: 'a seal read as a digit', text: 'EML8?R29', result: 'EMLR29' },
    { name: 'a seal read as a letter', text: 'MO?AB123', result: 'MAB123' },
    { name: 'a digit that is sure', text: 'EML8R29', result: 'EML8R29' },
    { name: 'an unsure character that is not round', text: 'EML7?R29', result: 'EML7?R29' },
    { name: 'two unsure ones', text: 'EML8?R2?9', result: 'EML8?R2?9' },
    { name: 'a number that would be of another kind', text: 'AB8?23CD', result: 'AB8?23CD' },
  ])('$name: $text is $result', ({ text, result }) => {
    expect(withoutSeal(read(text)).map(({ character }) => character)).toEqual(
      read(result).map(({ character }) => character),
    )
  })
})
