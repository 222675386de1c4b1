import { expect, test } from 'vitest'
import { embeddedModels, findEmbeddedModel } from './model-catalog.ts'

test('the models stand in the order of their size and accuracy', () => {
  expect(embeddedModels.map(({ name }) => name)).toEqual(['fast', 'balanced', 'accurate'])
  const precision = embeddedModels.map(({ accuracy }) => accuracy.people.averagePrecision)
  expect(precision).toEqual(precision.toSorted((a, b) => a - b))
})

test.each(embeddedModels)('"$name" says whose it is and what it may be used for', ({ licence, attribution }) => {
  expect(licence).toBe('Apache-2.0')
  expect(attribution).toMatch(/Google/)
})

test('an unknown name is answered with the known ones', () => {
  expect(() => findEmbeddedModel('huge')).toThrow('There is no model "huge"; choose one of: fast, balanced, accurate.')
})
