import { expect, test } from 'vitest'
import { aPicture } from '../../../test/builders/picture.ts'
import { type Picture } from '../picture.ts'
import { detect, type DetectStageOptions } from './detect-stage.ts'

/** Runs pictures through the stage and writes down what happens to them. */
async function run(pictures: readonly Picture[], options: Partial<DetectStageOptions>) {
  const log: string[] = []
  const stage = detect({
    detector: {
      async detect(_frame, takenAtMs) {
        log.push(`look ${takenAtMs}`)
        return []
      },
    },
    isAhead: false,
    scene: undefined,
    async begin(picture) {
      log.push(`begin ${picture.timeMs}`)
      return picture
    },
    end: () => void log.push('end'),
    ...options,
  })
  async function* source() {
    yield* pictures
  }
  for await (const { timeMs, detections } of stage(source()))
    log.push(`seen ${timeMs}${detections === 'unchanged' ? ' unchanged' : ''}`)
  return log
}

const pictures = [1, 2, 3].map((timeMs) => aPicture({ timeMs }))

test('a picture is looked at between the begin and the end of a turn', async () => {
  expect(await run(pictures.slice(0, 2), {})).toEqual([
    'begin 1',
    'look 1',
    'end',
    'seen 1',
    'begin 2',
    'look 2',
    'end',
    'seen 2',
  ])
})

test('a newer one that has come meanwhile is looked at instead', async () => {
  const newer = aPicture({ timeMs: 9 })
  expect(await run(pictures.slice(0, 1), { begin: async () => newer })).toEqual(['look 9', 'end', 'seen 9'])
})

test('ahead, the next one is begun before this one is reported', async () => {
  const log = await run(pictures, { isAhead: true })
  expect(log.indexOf('begin 2')).toBeLessThan(log.indexOf('seen 1'))
  expect(log.filter((line) => line.startsWith('seen'))).toEqual(['seen 1', 'seen 2', 'seen 3'])
})

/** Whatever comes after the first picture shows nothing new, but for one. */
function aStillScene(firstMs: number, changedMs: number) {
  let current = 0
  return {
    see: ({ timeMs }: { readonly timeMs: number }) => void (current = timeMs),
    get isStill() {
      return current !== firstMs && current !== changedMs
    },
    isWorthLook: () => true,
    looked: () => {},
    watch: () => {},
  }
}

test('what has not changed needs no turn and no look', async () => {
  const apart = [1000, 2000, 3000].map((timeMs) => aPicture({ timeMs }))
  const log = await run(apart, { scene: aStillScene(1000, 3000) })
  const looked = (at: number) => [`begin ${at}`, `look ${at}`, 'end', `seen ${at}`]
  expect(log).toEqual([...looked(1000), 'seen 2000 unchanged', ...looked(3000)])
})

test('of pictures that have not changed some are compared, fewer are reported, and the others are released', async () => {
  const all = Array.from({ length: 31 }, (_, index) => aPicture({ timeMs: 1000 + Math.round((index * 1000) / 15) }))
  const still = aStillScene(1000, -1)
  const compared: number[] = []
  const see = (picture: { readonly timeMs: number }) => {
    compared.push(picture.timeMs)
    still.see(picture)
  }
  const scene = {
    ...still,
    see,
    get isStill() {
      return still.isStill
    },
  }
  const log = await run(all, { scene })
  const reported = log.filter((line) => line.endsWith('unchanged'))
  expect(compared).toHaveLength(16)
  expect(reported).toHaveLength(7)
  expect(all.filter(({ isReleased }) => isReleased())).toHaveLength(31 - 1 - reported.length)
})

test('a model that fails ends its turn', async () => {
  let ended = 0
  const failing = run(pictures, {
    detector: { detect: () => Promise.reject(new Error('The model failed.')) },
    end: () => void ended++,
  })
  await expect(failing).rejects.toThrow('The model failed.')
  expect(ended).toBe(1)
})
