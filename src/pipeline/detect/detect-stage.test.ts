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

test('what has not changed needs no turn and no look', async () => {
  let current = 0
  const scene = {
    see: ({ timeMs }: { readonly timeMs: number }) => void (current = timeMs),
    get isStill() {
      return current === 2
    },
    isWorthLook: () => true,
    looked: () => {},
    watch: () => {},
  }
  expect(await run(pictures, { scene })).toEqual([
    'begin 1',
    'look 1',
    'end',
    'seen 1',
    'seen 2 unchanged',
    'begin 3',
    'look 3',
    'end',
    'seen 3',
  ])
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
