import { expect, test } from 'vitest'
import { lightings } from '../../../test/builders/rendered-scene.ts'
import { renderPerson } from '../../../test/builders/rendered-person.ts'
import { clothingColours } from './clothing-colour.ts'
import { type ColourShares, voteColour } from './colour-shares.ts'

const nameOf = (shares: ColourShares) => voteColour([{ shares, weight: 1 }])?.name

const outfits = [
  { upper: ['#b01820', 'red'], lower: ['#1c1c20', 'black'] },
  { upper: ['#f0f0f0', 'white'], lower: ['#243c78', 'blue'] },
  { upper: ['#f0c810', 'yellow'], lower: ['#5c3a1c', 'brown'] },
  { upper: ['#2c8c3c', 'green'], lower: ['#808488', 'grey'] },
  { upper: ['#602080', 'purple'], lower: ['#e87010', 'orange'] },
  { upper: ['#f088b0', 'pink'], lower: ['#1840a0', 'blue'] },
] as const

test.each(outfits.flatMap((outfit) => ['daylight', 'warm', 'cold', 'noisy'].map((light) => ({ ...outfit, light }))))(
  '$upper.1 above $lower.1 in $light light, on pavement and on grass',
  ({ upper, lower, light }) => {
    for (const ground of ['#8c8a86', '#4c6c34']) {
      const picture = renderPerson({ upper: upper[0], lower: lower[0], ground, lighting: lightings[light]! })
      const colours = clothingColours(picture)!
      expect([nameOf(colours.upper), nameOf(colours.lower)]).toEqual([upper[1], lower[1]])
    }
  },
)

test.each(['daylight', 'cold', 'noisy'])('worn jeans are blue in %s light', (light) => {
  const picture = renderPerson({ upper: '#b01820', lower: '#5a6e8c', ground: '#8c8a86', lighting: lightings[light]! })
  expect(nameOf(clothingColours(picture)!.lower)).toBe('blue')
})

test.each([
  { name: 'somebody who sits or lies', width: 120, height: 130 },
  { name: 'somebody far away', width: 10, height: 30 },
])('$name has no upper and lower part', ({ width, height }) => {
  expect(clothingColours(renderPerson({ upper: '#b01820', lower: '#1c1c20', width, height }))).toBeUndefined()
})
