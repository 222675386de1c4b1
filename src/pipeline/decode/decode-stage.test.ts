import { expect, test } from 'vitest'
import { openInput } from '../../av/input.ts'
import { type SourcePart } from '../picture.ts'
import { decode } from './decode-stage.ts'

const clip = 'assets/demo/people-walking.mp4'
const limit = { width: 4_096, height: 4_096 }

/** A clip as if it came live: of its first packets nobody is to see anything. */
async function* liveParts(repeated: number, count: number): AsyncGenerator<SourcePart, void, undefined> {
  const input = await openInput(clip, { timeoutMs: 5_000 })
  const { codecpar, timeBase, index } = input.video!
  try {
    yield { kind: 'opened', video: { codecpar, timeBase, codec: 'h264' }, startedAtMs: null }
    for (let sent = 0; sent < count;) {
      const packet = await input.read()
      if (packet!.streamIndex !== index) continue
      const times = { takenAtMs: sent, arrivedMs: sent, timeMs: sent, rtpTimestamp: sent, breaks: 0 }
      yield { kind: 'packet', packet: packet!, isKeyframe: false, times: sent < repeated ? null : times }
      sent += 1
    }
  } finally {
    await input.close()
  }
}

test('what came before is decoded for what follows it, but only that is passed on', async () => {
  const taken: number[] = []
  let broken = 0
  const stage = decode({ limit, onOpened: () => {}, onBroken: () => void broken++ })
  for await (const { decoded, takenAtMs } of stage(liveParts(6, 10))) {
    taken.push(takenAtMs)
    decoded.release()
  }
  expect(taken.sort()).toEqual([6, 7, 8, 9])
  expect(broken).toBe(0)
})
