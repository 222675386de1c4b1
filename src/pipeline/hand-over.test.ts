import { expect, test } from 'vitest'
import { aPicture, createHandFed, type FakePicture, turn } from '../../test/builders/picture.ts'
import { newest } from './hand-over.ts'

function setUp() {
  const source = createHandFed<FakePicture>()
  let dropped = 0
  const handed = newest(source, () => void (dropped += 1))
  const exchange = (picture: FakePicture) => handed.exchange(picture)
  return { source, pictures: handed[Symbol.asyncIterator](), exchange, dropped: () => dropped }
}

test('a late consumer gets the newest picture; the older ones are released', async () => {
  const { source, pictures, dropped } = setUp()
  const all = [1, 2, 3].map((timeMs) => aPicture({ timeMs }))
  for (const picture of all) source.put(picture)
  await turn()
  expect(await pictures.next()).toMatchObject({ value: { timeMs: 3 } })
  expect(all.map(({ isReleased }) => isReleased())).toEqual([true, true, false])
  expect(dropped()).toBe(2)
})

test('an early consumer waits for the next one', async () => {
  const { source, pictures, dropped } = setUp()
  const next = pictures.next()
  await turn()
  source.put(aPicture({ timeMs: 8 }))
  expect(await next).toMatchObject({ value: { timeMs: 8 } })
  expect(dropped()).toBe(0)
})

test('the end comes after the last picture', async () => {
  const { source, pictures } = setUp()
  source.put(aPicture({ timeMs: 5 }))
  source.end()
  await turn()
  expect(await pictures.next()).toMatchObject({ value: { timeMs: 5 } })
  expect(await pictures.next()).toMatchObject({ done: true })
})

test.each(['before', 'after'])('an error passes, whether it comes %s somebody asks', async (when) => {
  const { source, pictures } = setUp()
  if (when === 'before') {
    source.fail(new Error('lost'))
    await turn()
    await expect(pictures.next()).rejects.toThrow('lost')
  } else {
    const next = pictures.next()
    next.catch(() => {})
    await turn()
    source.fail(new Error('lost'))
    await expect(next).rejects.toThrow('lost')
  }
})

test('a picture is exchanged for one that has come meanwhile', async () => {
  const { source, pictures, exchange, dropped } = setUp()
  const first = aPicture({ timeMs: 1 })
  source.put(first)
  await pictures.next()
  expect(exchange(first)).toBe(first)
  for (const timeMs of [2, 3]) source.put(aPicture({ timeMs }))
  await turn()
  expect(exchange(first)).toMatchObject({ timeMs: 3 })
  expect([first.isReleased(), dropped()]).toEqual([true, 2])
})
