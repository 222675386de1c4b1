import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createPreviews } from './previews.ts'

const STREAM = 'admin/cam'
const PATH = 'admin/cam/~preview'

/** Processes that read `admin/cam`; commands to them are noted. `mute` never publishes anything. */
function rigOf(...processIds: string[]) {
  const clock = createFakeClock()
  const sent: string[] = []
  const live = new Map([[STREAM, {}]])
  const readers = new Set(processIds)
  const previews = createPreviews({
    processes: {
      listReaders: (path) => (path === STREAM ? [...readers] : []),
      send(processId, { target }) {
        const path = target && target.path
        sent.push(`${processId} ${path}`)
        if (path !== null && processId !== 'mute') live.set(path, {})
      },
    },
    livePaths: { find: (path) => live.get(path) },
    clock,
  })
  return { previews, clock, sent, live, readers }
}

const unavailable = { code: 'preview-unavailable', status: 404 }

test('one preview is made for all who watch, and none a while after they have left', async () => {
  const { previews, clock, sent } = rigOf('p')
  const leaveFirst = await previews.hold(PATH)
  const leaveSecond = await previews.hold(PATH)
  leaveFirst()
  leaveFirst()
  await clock.advance(60_000)
  expect(sent).toEqual([`p ${PATH}`])
  leaveSecond()
  await clock.advance(60_000)
  expect(sent).toEqual([`p ${PATH}`, 'p null'])
})

test('a viewer that is back soon finds it as it was, and the while counts anew when they leave', async () => {
  const { previews, clock, sent } = rigOf('p')
  const leave = await previews.hold(PATH)
  leave()
  await clock.advance(1_000)
  const leaveAgain = await previews.hold(PATH)
  await clock.advance(3_900)
  leaveAgain()
  await clock.advance(200)
  expect(sent).toEqual([`p ${PATH}`])
  await clock.advance(60_000)
  expect(sent).toEqual([`p ${PATH}`, 'p null'])
})

test('when the process can’t that made it, another one does; and goes on when the first is back', async () => {
  const { previews, clock, sent, readers } = rigOf('first', 'second')
  await previews.hold(PATH)
  readers.delete('first')
  await clock.advance(10)
  await previews.hold(PATH)
  readers.clear()
  readers.add('first').add('second')
  await previews.hold(PATH)
  expect(sent).toEqual([`first ${PATH}`, 'first null', `second ${PATH}`])
})

test('an earlier preview that is about to go is not taken for the new one', async () => {
  const { previews, clock, sent, live } = rigOf('mute')
  live.set(PATH, {})
  await clock.advance(10)
  let isThere = false
  const held = previews.hold(PATH).then(() => (isThere = true))
  await clock.advance(100)
  expect(isThere).toBe(false)
  live.set(PATH, {})
  await clock.advance(100)
  await held
  expect(sent).toEqual([`mute ${PATH}`])
})

test('without a process, without the stream, and without a picture in time, there is none', async () => {
  await expect(rigOf().previews.hold(PATH)).rejects.toMatchObject(unavailable)

  const lost = rigOf('p')
  lost.live.delete(STREAM)
  await expect(lost.previews.hold(PATH)).rejects.toMatchObject(unavailable)
  expect(lost.sent).toEqual([])

  const { previews, clock, sent } = rigOf('mute')
  const held = previews.hold(PATH)
  held.catch(() => {})
  await clock.advance(10_000)
  await expect(held).rejects.toMatchObject(unavailable)
  await clock.advance(60_000)
  expect(sent).toEqual([`mute ${PATH}`, 'mute null'])
})

test('however many wait for the previews of one owner, there is room for another’s', async () => {
  const { previews, live, clock } = rigOf('mute')
  const waiting = Array.from({ length: 60 }, () => previews.hold(PATH).catch((error: unknown) => error))
  live.set('bob/cam', {})
  // Nobody processes it, so it is looked for, and not there; refused for want of room it would be `webrtc-full`.
  await expect(previews.hold('bob/cam/~preview')).rejects.toMatchObject(unavailable)
  previews.close()
  await clock.advance(0)
  const codes = (await Promise.all(waiting)).map((error) => (error as { code: string }).code)
  expect(codes.filter((code) => code === 'webrtc-full')).toHaveLength(10)
})

test('only so many may wait for one, and nobody does when the service goes', async () => {
  const { previews, clock } = rigOf('mute')
  const waiting = Array.from({ length: 50 }, () => previews.hold(PATH))
  for (const one of waiting) one.catch(() => {})
  const beyond = previews.hold(PATH)
  await expect(beyond).rejects.toMatchObject({ code: 'webrtc-full' })
  previews.close()
  await clock.advance(0)
  for (const one of waiting) await expect(one).rejects.toMatchObject(unavailable)
})

test('other paths are none of its business', async () => {
  const { previews, sent } = rigOf('p')
  const leave = await previews.hold(STREAM)
  leave()
  expect(sent).toEqual([])
})
