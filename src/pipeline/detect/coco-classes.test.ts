import { expect, test } from 'vitest'
import { cocoClasses } from './coco-classes.ts'

test.each([
  { output: 0, id: 1, name: 'person' },
  { output: 2, id: 3, name: 'car' },
  { output: 12, id: 13, name: 'stop sign' },
  { output: 36, id: 37, name: 'sports ball' },
  { output: 89, id: 90, name: 'toothbrush' },
])('output $output is $name, category $id', ({ output, id, name }) => {
  expect(cocoClasses[output]).toEqual({ id, name })
})

test('eighty categories stand among ninety outputs, in the order of their ids', () => {
  const known = cocoClasses.filter((entry) => entry !== undefined)
  expect(cocoClasses).toHaveLength(90)
  expect(new Set(known.map(({ name }) => name)).size).toBe(80)
  cocoClasses.forEach((entry, index) => expect(entry?.id ?? index + 1).toBe(index + 1))
})

test.each([12, 26, 29, 30, 45, 66, 68, 69, 71, 83])('category %i was never used', (id) => {
  expect(cocoClasses[id - 1]).toBeUndefined()
})
