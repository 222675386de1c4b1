import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createInferenceTurns } from './inference-turns.ts'
import { type Priority } from './process.ts'

function setUp(slots: number) {
  const clock = createFakeClock()
  const turns = createInferenceTurns({ slots, clock })
  const granted: string[] = []
  let grantedMs = 0
  const join = (name: string, priority: Priority = 'normal') =>
    turns.join(priority, () => {
      granted.push(name)
      grantedMs = clock.steady()
    })

  /** One after the other, each for its own time; a while after its turn is over everybody wants the next. */
  async function share(takers: Record<string, { priority?: Priority; tookMs: number }>, rounds: number, awayMs = 6) {
    const joined = new Map(Object.entries(takers).map(([name, { priority }]) => [name, join(name, priority)]))
    for (const taker of joined.values()) taker.want()
    for (let round = 0; round < rounds; round++) {
      const [name, count] = [granted.at(-1)!, granted.length]
      await clock.advance(grantedMs + takers[name]!.tookMs - clock.steady())
      joined.get(name)!.over()
      await clock.advance(awayMs)
      joined.get(name)!.want()
      // Where the slot was kept for one that came late.
      if (granted.length === count) await clock.advance(20)
    }
    return (name: string) => granted.filter((one) => one === name).length
  }
  return { clock, granted, join, share }
}

test('as many have a turn as there are slots; the next begins when one is over', () => {
  const { granted, join } = setUp(2)
  const [a, b, c] = [join('a'), join('b'), join('c')]
  for (const taker of [a, b, c]) taker.want()
  expect(granted).toEqual(['a', 'b'])
  b.over()
  expect(granted).toEqual(['a', 'b', 'c'])
})

test('a turn that nobody had ends nothing', () => {
  const { granted, join } = setUp(1)
  const [a, b] = [join('a'), join('b')]
  a.over()
  for (const taker of [a, b]) taker.want()
  expect(granted).toEqual(['a'])
})

describe('whoever had the least time is next', () => {
  test('one whose turns are three times as long has a third of them', async () => {
    const countOf = await setUp(1).share({ long: { tookMs: 30 }, short: { tookMs: 10 } }, 800)
    expect(countOf('short') / countOf('long')).toBeCloseTo(3, 1)
  })

  test('one of a higher priority has four times as many', async () => {
    const takers = {
      high: { tookMs: 20, priority: 'high' },
      normal: { tookMs: 20 },
      low: { tookMs: 20, priority: 'low' },
    } as const
    const countOf = await setUp(1).share(takers, 2100)
    expect(countOf('high') / countOf('normal')).toBeCloseTo(4, 1)
    expect(countOf('normal') / countOf('low')).toBeCloseTo(4, 1)
  })

  test('where those of a higher priority wait for their pictures, the others do not wait for them', async () => {
    const takers = { high: { tookMs: 30, priority: 'high' }, low: { tookMs: 30, priority: 'low' } } as const
    const countOf = await setUp(1).share(takers, 200, 25)
    expect(countOf('high') / countOf('low')).toBeCloseTo(1, 1)
  })

  test('a slot is kept for one that comes back, but not for long', async () => {
    const { clock, granted, join } = setUp(1)
    const [first, other] = [join('first', 'high'), join('other')]
    first.want()
    other.want()
    await clock.advance(20)
    first.over()
    await clock.advance(5)
    first.want()
    await clock.advance(15)
    other.over()
    other.want()
    await clock.advance(20)
    first.over()
    await clock.advance(19)
    expect(granted).toEqual(['first', 'other', 'first'])
    await clock.advance(1)
    expect(granted).toEqual(['first', 'other', 'first', 'other'])
  })

  test('what was saved up while there was enough for everybody is soon used up', async () => {
    const { clock, granted, join } = setUp(2)
    const takers = new Map([
      ['old', join('old')],
      ['low', join('low', 'low')],
    ])
    /** All that have a turn end it, and want the next a moment later. */
    async function pass(rounds: number): Promise<void> {
      for (let round = 0; round < rounds; round++) {
        await clock.advance(20)
        const ended = granted.splice(0).map((name) => takers.get(name)!)
        for (const taker of ended) taker.over()
        await clock.advance(5)
        for (const taker of ended) taker.want()
      }
    }
    for (const taker of takers.values()) taker.want()
    await pass(2_000)
    takers.set('new', join('new'))
    takers.get('new')!.want()
    await pass(150)
    let turns = 0
    for (let round = 0; round < 100; round++) {
      await pass(1)
      turns += Number(granted.includes('new'))
    }
    expect(turns).toBeGreaterThan(60)
  })

  test('time in which nothing was wanted is not made up for', async () => {
    const { clock, granted, join } = setUp(1)
    const [busy, late] = [join('busy'), join('late')]
    busy.want()
    for (let turn = 0; turn < 50; turn++) {
      await clock.advance(20)
      busy.want()
      busy.over()
    }
    granted.length = 0
    for (let turn = 0; turn < 6; turn++) {
      late.want()
      await clock.advance(20)
      if (granted.at(-1) === 'late') late.over()
      else {
        busy.want()
        busy.over()
      }
    }
    expect(granted.filter((name) => name === 'busy').length).toBeGreaterThanOrEqual(2)
  })
})

test('one that comes while nobody wants anything does not go before all others for as long as they have worked', async () => {
  const { clock, granted, join } = setUp(1)
  const old = join('old')
  for (let turn = 0; turn < 50; turn++) {
    old.want()
    await clock.advance(20)
    old.over()
  }
  const young = join('young')
  granted.length = 0
  young.want()
  for (let turn = 0; turn < 10; turn++) {
    old.want()
    await clock.advance(20)
    const taker = granted.at(-1) === 'old' ? old : young
    if (taker === young) young.want()
    taker.over()
  }
  expect(granted.filter((name) => name === 'old').length).toBeGreaterThanOrEqual(4)
})

test('what a worker had goes with it', () => {
  const { granted, join } = setUp(1)
  const [gone, b] = [join('gone'), join('b')]
  gone.want()
  gone.want()
  b.want()
  gone.leave()
  expect(granted).toEqual(['gone', 'b'])
})

test('a turn that does not end is taken back, once', async () => {
  const { clock, granted, join } = setUp(1)
  const [hung, b, c] = [join('hung'), join('b'), join('c')]
  for (const taker of [hung, b, c]) taker.want()
  await clock.advance(1_999)
  expect(granted).toEqual(['hung'])
  await clock.advance(1)
  expect(granted).toEqual(['hung', 'b'])
  hung.over()
  expect(granted).toEqual(['hung', 'b'])
  b.over()
  expect(granted).toEqual(['hung', 'b', 'c'])
})
