import { afterEach, beforeEach, expect, test, vi } from 'vitest'

class FakeEventSource {
  static readonly CLOSED = 2
  static all: FakeEventSource[] = []
  readyState = 1
  onmessage: (event: { data: string }) => void = () => {}
  onerror: () => void = () => {}
  readonly named = new Map<string, (event: { data: string }) => void>()
  readonly url: string

  constructor(url: string) {
    this.url = url
    FakeEventSource.all.push(this)
  }
  static open = () => this.all.filter(({ readyState }) => readyState !== this.CLOSED)
  get ids(): string[] {
    return new URL(this.url).searchParams.get('process_uuids')!.split(',')
  }
  addEventListener(name: string, handler: (event: { data: string }) => void): void {
    this.named.set(name, handler)
  }
  close(): void {
    this.readyState = FakeEventSource.CLOSED
  }
}

beforeEach(() => void vi.useFakeTimers())
vi.stubGlobal('window', globalThis)
vi.stubGlobal('document', { hidden: false, addEventListener: () => {} })
vi.stubGlobal('location', { href: 'http://console.localhost/' })
vi.stubGlobal('EventSource', FakeEventSource)
const { listen } = await import('./detection-events.ts')

const idOf = (number: number) => `p${String(number).padStart(3, '0')}`
const wait = (ms: number) => void vi.advanceTimersByTime(ms)
let leaving: (() => void)[]
const listenTo = (count: number, onScene: (scene: { process_uuid: string }) => void = () => {}) =>
  leaving.push(...Array.from({ length: count }, (_, index) => listen(idOf(index), { onScene })))

beforeEach(() => {
  leaving = []
  FakeEventSource.all = []
})
afterEach(() => {
  for (const leave of leaving) leave()
  wait(0)
  expect(FakeEventSource.open()).toEqual([])
})

test('no request asks for more than fifty processes, and all are heard', () => {
  const heard: string[] = []
  listenTo(101, ({ process_uuid }) => heard.push(process_uuid))
  wait(0)
  expect(FakeEventSource.open().map(({ ids }) => ids.length)).toEqual([50, 50, 1])
  for (const source of FakeEventSource.open())
    for (const process_uuid of source.ids) source.onmessage({ data: JSON.stringify({ process_uuid }) })
  expect(heard).toEqual(Array.from({ length: 101 }, (_, index) => idOf(index)))
})

test('the connection that breaks is opened again; the other stays', () => {
  listenTo(51)
  wait(0)
  const [first, second] = FakeEventSource.open()
  second!.onerror()
  wait(2_000)
  expect(FakeEventSource.open()).toEqual([first, expect.objectContaining({ url: second!.url })])
  expect(FakeEventSource.all).toHaveLength(3)
})

test('a process that has ended is not asked for again', () => {
  leaving.push(listen('gone', { onScene: () => {} }))
  wait(0)
  FakeEventSource.open()[0]!.named.get('end')!({ data: '{"process_uuid":"gone"}' })
  leaving.push(listen('stays', { onScene: () => {} }))
  wait(0)
  expect(FakeEventSource.open().map(({ ids }) => ids)).toEqual([['stays']])
})

test('a process that changes says so to those who listen to it', () => {
  const heard: string[] = []
  leaving.push(listen('one', { onStatus: ({ state }) => heard.push(state) }))
  leaving.push(listen('other', { onStatus: () => heard.push('other') }))
  wait(0)
  FakeEventSource.open()[0]!.named.get('status')!({ data: '{"process_uuid":"one","state":"running","problem":null}' })
  expect(heard).toEqual(['running'])
})
