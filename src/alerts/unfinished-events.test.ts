import { expect, test } from 'vitest'
import { type AlertEvent } from './analyses/analysis.ts'
import { partsOf, withoutParts } from './unfinished-events.ts'

const seenAt = (second: number) => ({ takenAtMs: 1_000 * second })
const ended = (endOf: string, count: number): AlertEvent => ({ event: 'ended', data: { count }, endOf })
const crossed = (second: number, ...earlier: number[]): AlertEvent => ({
  event: 'crossed',
  data: { second },
  seenAt: seenAt(second),
  ...(earlier.length > 0 && {
    earlier: earlier.map((one) => ({ event: 'crossed', data: { second: one }, seenAt: seenAt(one) })),
  }),
})
const found = (image: string | null, ...ids: number[]): AlertEvent => ({
  event: 'found',
  data: { tracks: ids.map((id) => ({ track_id: id, image })), more: 0 },
  seenAt: seenAt(Math.max(...ids)),
})

test.each<{ name: string; events: AlertEvent[]; known: AlertEvent[]; left: AlertEvent[] }>([
  { name: 'what goes on still is the same, however its figures change', events: [ended('1', 5)], known: [ended('1', 3)], left: [] },
  { name: 'what began anew is another', events: [ended('2', 5)], known: [ended('1', 5)], left: [ended('2', 5)] },
  { name: 'of what waits, what came since is left', events: [crossed(4, 1, 2, 3)], known: [crossed(2, 1)], left: [crossed(4, 3)] },
  { name: 'what came since may be one alone', events: [crossed(3, 1, 2)], known: [crossed(2, 1)], left: [crossed(3)] },
  { name: 'nothing is left where nothing came', events: [crossed(2, 1)], known: [crossed(2, 1)], left: [] },
  { name: 'all is left of what nobody knows', events: [crossed(2, 1), ended('1', 1)], known: [], left: [crossed(2, 1), ended('1', 1)] },
  { name: 'tracks are known one by one, with a picture or without', events: [found('jpeg', 1, 2, 3)], known: [found(null, 1, 2)], left: [{ ...found('jpeg', 3), seenAt: seenAt(3) }] },
  { name: 'of several notifications those are left that say something new', events: [found(null, 1), found(null, 2)], known: [found(null, 1)], left: [found(null, 2)] },
])('$name', ({ events, known, left }) => expect(withoutParts(events, new Set(partsOf(known)))).toEqual(left)) // prettier-ignore
