import { describe, expect, test } from 'vitest'
import { lightings } from '../../../test/builders/rendered-scene.ts'
import { renderVehicle } from '../../../test/builders/rendered-vehicle.ts'
import { voteColour } from './colour-shares.ts'
import { vehicleColours } from './vehicle-colour.ts'

const paints = {
  black: ['#141416', '#202020'],
  white: ['#f0f0f0', '#e4e4e0'],
  grey: ['#808488', '#5c5e60', '#9a9a9c'],
  red: ['#b01820', '#d02020', '#801418'],
  orange: ['#e87010', '#f08828'],
  yellow: ['#f0c810', '#e8d020'],
  green: ['#186830', '#2c8c3c', '#5a9030'],
  blue: ['#1840a0', '#2c6cc8', '#142c6c'],
  purple: ['#602080', '#7a40a0'],
  pink: ['#f088b0', '#f0a0c0'],
  brown: ['#5c3a1c', '#704a28'],
}
const colourOf = (look: Parameters<typeof renderVehicle>[0]) => {
  const shares = vehicleColours(renderVehicle(look))
  return shares ? voteColour([{ shares, weight: 1 }]) : null
}

describe.each(Object.entries(paints))('a %s car', (name, list) => {
  test.each(['daylight', 'warm', 'cold', 'noisy'])('has its colour in %s light', (light) => {
    for (const paint of list) expect.soft(colourOf({ paint, lighting: lightings[light]! })?.name, paint).toBe(name)
  })

  // White becomes grey, and a black car before trees may be nothing at all: but never is a coloured car another colour.
  test('is in dim light, and before trees, no other than its own, grey or unknown', () => {
    for (const paint of list) {
      for (const [light, behind] of [
        ['dim', 'sky'],
        ['dim', 'trees'],
        ['daylight', 'trees'],
      ] as const) {
        const seen = colourOf({ paint, behind, lighting: lightings[light]! })?.name
        expect.soft([name, 'grey', undefined], `${paint} ${light} ${behind}`).toContain(seen)
      }
    }
  })
})

test('a picture of a few pixels has no colour', () => {
  expect(vehicleColours(renderVehicle({ paint: '#b01820', width: 18, height: 15 }))).toBeUndefined()
})
