import { describe, expect, test } from 'vitest'
import { type ReadCharacter } from './ctc.ts'
import { type PlateReading, votePlate } from './plate-vote.ts'

function reading(text: string, weight = 1, confidence = 0.95): PlateReading {
  const characters = [...text].map((character, index): ReadCharacter => ({
    character,
    confidence,
    alternatives: [{ character, confidence }],
    position: (index + 0.5) / text.length,
  }))
  return { characters, weight }
}

describe('voting on a plate', () => {
  test.each([
    { name: 'one reading stands', readings: [reading('AB123CD')], text: 'AB123CD' },
    {
      name: 'the majority wins, place by place',
      readings: [reading('AB123CD'), reading('AB128CD'), reading('AB123GD')],
      text: 'AB123CD',
    },
    {
      name: 'no reading need be right as a whole',
      readings: [reading('AB123CX'), reading('AB1Z3CD'), reading('RB123CD')],
      text: 'AB123CD',
    },
    {
      name: 'a missed character shifts nothing',
      readings: [reading('AB13CD'), reading('AB123CD'), reading('AB123CD')],
      text: 'AB123CD',
    },
    {
      name: 'an extra character is outvoted',
      readings: [reading('1AB123CD', 0.8), reading('AB123CD'), reading('AB123CD')],
      text: 'AB123CD',
    },
    {
      name: 'an end that one reading lacks is kept',
      readings: [reading('ADL4681'), reading('ADL468')],
      text: 'ADL4681',
    },
    {
      name: 'a heavy reading beats two light ones',
      readings: [reading('AB123CD', 3), reading('AB128CD'), reading('AB128CD')],
      text: 'AB123CD',
    },
    {
      name: 'a sure one beats an unsure one',
      readings: [reading('AB128CD', 1, 0.5), reading('AB123CD', 1, 0.99)],
      text: 'AB123CD',
    },
  ])('$name', ({ readings, text }) => expect(votePlate(readings)?.text).toBe(text))

  test('is surer the more the readings agree', () => {
    const agreed = votePlate([reading('AB123CD'), reading('AB123CD')])!
    const contested = votePlate([reading('AB123CD'), reading('AB128CD'), reading('AB123CD')])!
    expect(agreed.confidence).toBeCloseTo(0.95)
    expect(contested.confidence).toBeLessThan(agreed.confidence)
  })

  test('has nothing to say without readings', () => expect(votePlate([])).toBeUndefined())
})
