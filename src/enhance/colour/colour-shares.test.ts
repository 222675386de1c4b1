import { describe, expect, test } from 'vitest'
import { type ColourName, colourNames } from './colour-names.ts'
import { voteColour } from './colour-shares.ts'

describe('colour vote', () => {
  const opinion = (weight: number, shares: Partial<Record<ColourName, number>>) => ({
    weight,
    shares: Float64Array.from(colourNames, (name) => shares[name] ?? 0),
  })

  test.each([
    {
      name: 'one picture decides alone',
      opinions: [opinion(1, { red: 0.8, grey: 0.2 })],
      expected: { name: 'red', confidence: 0.8 },
    },
    {
      name: 'the better picture outweighs the worse',
      opinions: [opinion(0.9, { blue: 0.9, black: 0.1 }), opinion(0.1, { black: 1 })],
      expected: { name: 'blue', confidence: 0.81 },
    },
    {
      name: 'two that contradict each other say nothing',
      opinions: [opinion(1, { red: 1 }), opinion(1, { green: 1 })],
      expected: null,
    },
    {
      name: 'too mixed says nothing',
      opinions: [opinion(1, { red: 0.35, green: 0.25, blue: 0.2, white: 0.2 })],
      expected: null,
    },
    { name: 'no opinion says nothing', opinions: [], expected: null },
  ])('$name', ({ opinions, expected }) => expect(voteColour(opinions)).toEqual(expected))
})
