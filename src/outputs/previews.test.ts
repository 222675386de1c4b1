import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createPreviews } from './previews.ts'

const PATH = 'admin/cam/~preview'

/** Processes that read `admin/cam`, the first of them first; what is told them is noted. */
function stageOf(...readers: string[]) {
  const clock = createFakeClock()
  const told: string[] = []
  const live = new Set<string>()
  const isReading = new Set(readers)
  const previews = createPreviews({
    processes: {
      findReader: (path) => (path === 'admin/cam' ? [...isReading][0] : undefined),
      isLive: (processId) => isReading.has(processId),
      setPreview(processId, path) {
        told.push(`${processId} ${path}`)
        if (path !== null && processId !== 'mute') live.add(path)
        else live.delete(PATH)
      },
    },
    livePaths: { isLive: (path) => live.has(path) },
    clock,
  })
  return { previews, clock, told, isReading }
}

test('one preview is made for all who watch, and none a while after they have left', async () => {
  const { previews, clock, told } = stageOf('p')
  const leaveFirst = await previews.hold(PATH)
  const leaveSecond = await previews.hold(PATH)
  leaveFirst()
  leaveFirst()
  await clock.advance(60_000)
  expect(told).toEqual([`p ${PATH}`])
  leaveSecond()
  await clock.advance(60_000)
  expect(told).toEqual([`p ${PATH}`, 'p null'])
})

test('whoever comes back soon finds it as it was', async () => {
  const { previews, clock, told } = stageOf('p')
  const leave = await previews.hold(PATH)
  leave()
  await clock.advance(1_000)
  const leaveAgain = await previews.hold(PATH)
  await clock.advance(60_000)
  expect(told).toEqual([`p ${PATH}`])
  leaveAgain()
})

test('when the process ends that made it, another one that reads the stream makes it', async () => {
  const { previews, told, isReading } = stageOf('first', 'second')
  await previews.hold(PATH)
  isReading.delete('first')
  await previews.hold(PATH)
  expect(told).toEqual([`first ${PATH}`, `second ${PATH}`])
})

test('without a process, and without a picture in time, there is none', async () => {
  const { previews } = stageOf()
  await expect(previews.hold(PATH)).rejects.toMatchObject({ code: 'preview-unavailable', status: 404 })

  const { previews: late, clock, told } = stageOf('mute')
  const held = late.hold(PATH)
  held.catch(() => {})
  await clock.advance(10_000)
  await expect(held).rejects.toMatchObject({ code: 'preview-unavailable' })
  await clock.advance(60_000)
  expect(told).toEqual([`mute ${PATH}`, 'mute null'])
})

test('other paths are none of its business', async () => {
  const { previews, told } = stageOf('p')
  const leave = await previews.hold('admin/cam')
  leave()
  expect(told).toEqual([])
})
