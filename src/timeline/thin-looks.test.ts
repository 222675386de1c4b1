import { expect, test } from 'vitest'
import { type LookOfProcess } from './detection-reader.ts'
import { thinLooks } from './thin-looks.ts'

const look = (processId: string, takenAtMs: number): LookOfProcess => ({
  processId,
  look: { takenAtMs, width: 640, height: 360, tracks: [] },
})

async function thinned(everySeconds: number | undefined, ...parts: LookOfProcess[][]): Promise<string[]> {
  async function* looks() {
    yield* parts
  }
  const left: string[] = []
  for await (const some of thinLooks(looks(), everySeconds))
    left.push(...some.map((one) => `${one.processId}${one.look.takenAtMs}`))
  return left
}

test('of each process the next look is so much later, wherever the parts end', async () => {
  const first = [look('a', 0), look('b', 400), look('a', 900), look('a', 1000)]
  const second = [look('b', 1399), look('b', 1400), look('a', 1999), look('a', 5000), look('a', 5500)]
  expect(await thinned(1, first, second)).toEqual(['a0', 'b400', 'a1000', 'b1400', 'a5000'])
})

test('without it every look is there', async () => {
  expect(await thinned(undefined, [look('a', 0), look('a', 0)], [look('a', 1)])).toEqual(['a0', 'a0', 'a1'])
})
