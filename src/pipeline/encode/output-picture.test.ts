import { expect, test } from 'vitest'
import { createOutputPicturePool } from './output-picture.ts'

const small = { width: 64, height: 36 }
const large = { width: 128, height: 72 }

test('pictures of several sizes are used again, each for its size', () => {
  const pool = createOutputPicturePool()
  const seen = new Set<Uint8Array>()
  for (let round = 0; round < 5; round++) {
    for (const size of [small, large]) {
      const picture = pool.take(size)
      expect(picture.planes).toMatchObject(size)
      seen.add(picture.planes.y)
      picture.release()
    }
  }
  expect(seen.size).toBe(2)
  pool.close()
})

test('sizes that are no longer wanted do not pile up', () => {
  const pool = createOutputPicturePool()
  const first = pool.take(small)
  const memory = first.planes.y
  first.release()
  for (let lines = 2; lines < 60; lines += 2) pool.take({ width: 64, height: 100 + lines }).release()
  const again = pool.take(small)
  expect(again.planes.y).not.toBe(memory)
  again.release()
  pool.close()
})

test('forgotten releases are an error, not a leak', () => {
  const pool = createOutputPicturePool(2)
  const held = [pool.take(small), pool.take(small)]
  expect(() => pool.take(small)).toThrow(/held at once/)
  held.forEach((picture) => picture.release())
  expect(() => held[0]!.release()).toThrow(/twice/)
  pool.close()
})
