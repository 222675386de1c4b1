import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { NO_WORK, type NodeWorkCount } from '../nodes/placed-processes.store.ts'
import { type KnownNode } from './known-nodes.ts'
import { waitForDrained } from './drain-wait.ts'

/** Looks at these, one after the other; the last one for ever. */
async function waitFor(looks: readonly Partial<KnownNode>[], maxMs = 60_000): Promise<string[]> {
  const said: string[] = []
  const clock = createFakeClock()
  let at = 0
  let isOver = false
  const waiting = waitForDrained('a', maxMs, {
    find: async (id) => ({
      id,
      state: 'draining',
      isDraining: true,
      work: NO_WORK,
      ...looks[Math.min(at++, looks.length - 1)],
    }),
    say: (sentence) => void said.push(sentence),
    clock,
  }).finally(() => (isOver = true))
  const outcome = waiting.catch((error: unknown) => void said.push(`fails: ${(error as Error).message}`))
  while (!isOver) await clock.advance(2_000)
  await outcome
  return said
}

const having = (work: Partial<NodeWorkCount>) => ({ work: { ...NO_WORK, ...work } })

test.each([
  {
    name: 'what is left is said when it changes',
    looks: [having({ processes: 2, cameras: 1 }), having({ processes: 2, cameras: 1 }), having({ processes: 1 }), {}],
    said: ['a still has 2 processes and 1 camera.', 'a still has 1 process.', 'a has given everything away.'],
  },
  {
    name: 'files and publishers are not waited for, and are said',
    looks: [having({ processes: 1, files: 1, streams: 2 })],
    said: [
      'a has given everything away. But 1 video file is still processed there, and 2 streams are published to it: stopping it ends that there.',
    ],
  },
  {
    name: 'a node that is stopped meanwhile has given all of it',
    looks: [having({ processes: 2 }), { state: 'dead' as const }],
    said: ['a still has 2 processes.', 'a has left; others go on with what it had.'],
  },
  {
    name: 'whoever undoes it ends the wait',
    looks: [having({ processes: 2 }), { isDraining: false }],
    said: ['a still has 2 processes.', 'fails: a is not draining any more: somebody has undone it.'],
  },
])('$name', async ({ looks, said }) => expect(await waitFor(looks)).toEqual(said))

test('it does not wait for ever', async () => {
  const said = await waitFor([having({ processes: 1 })], 10_000)
  expect(said.at(-1)).toMatch(/^fails: a still has 1 process after 10 s\. /)
})
