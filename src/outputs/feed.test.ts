import { expect, test } from 'vitest'
import { createFeed } from './feed.ts'

test('pictures are wanted while somebody looks, and go to everyone', () => {
  const wanted: boolean[] = []
  const feed = createFeed((_id, isWanted) => wanted.push(isWanted))
  const seen: string[] = []
  const viewer = (name: string) => ({ take: () => void seen.push(name), end: () => void seen.push(`${name} ended`) })
  feed.onPicture('p', new Uint8Array())
  const leaveFirst = feed.watch('p', viewer('first'))
  const leaveSecond = feed.watch('p', viewer('second'))
  feed.onPicture('p', new Uint8Array())
  leaveFirst()
  leaveFirst()
  feed.onPicture('p', new Uint8Array())
  expect(wanted).toEqual([true])
  leaveSecond()
  expect(wanted).toEqual([true, false])
  expect(seen).toEqual(['first', 'second', 'second'])
})

test('the end of the process ends the looking', () => {
  const feed = createFeed(() => {})
  const ended: string[] = []
  feed.watch('p', { take: () => {}, end: () => void ended.push('p') })
  feed.onEnd('p')
  expect(ended).toEqual(['p'])
  expect(feed.countViewers('p')).toBe(0)
})
