import { expect, test } from 'vitest'
import { threeTracks } from '../../test/builders/three-tracks.ts'
import { createFrameMaker } from '../../test/builders/h264-rtp.ts'
import { type AccessRequest } from './access.ts'
import { createHub } from './hub.ts'
import { MediaRefusal } from './refusal.ts'

const as = (username: string): AccessRequest => ({
  credentials: { kind: 'password', username, password: 'secret' },
  remoteAddress: '127.0.0.1',
  protocol: 'rtsp',
})
const noCalls = { packet: () => {}, report: () => {}, end: () => {} }

function setUp() {
  const events: string[] = []
  const hub = createHub({
    async authorize(action, _path, { credentials }) {
      const principal = credentials.kind === 'password' ? credentials.username : 'nobody'
      if (principal === 'eve') throw new MediaRefusal('forbidden', 'That is not hers.')
      return { principal, ...(action === 'publish' && { quota: { owner: 'ada', maxPaths: 1 } }) }
    },
    onEvent: ({ type, path }) => void events.push(`${type} ${path}`),
    onRelay: ({ type, path }) => void events.push(`relay ${type} ${path}`),
    onUnused: (path) => void events.push(`unused ${path}`),
    wake: (path, isForRelay) => void events.push(`wake ${path} ${isForRelay}`),
  })
  return { hub, events }
}

test('a relay counts against no quota, and is reported as nothing but a relay', async () => {
  const { hub, events } = setUp()
  for (const path of ['ada/1', 'ada/2', 'ada/3']) {
    const relay = hub.relay(path)
    relay.start(threeTracks)
    relay.write(0, createFrameMaker()('key'))
  }
  await hub.publish('ada/mine', as('ada'))
  expect([hub.isPublished('ada/1'), hub.isPublished('ada/mine')]).toEqual([false, true])
  expect(hub.takeVideoTimes()).toEqual([])
  hub.end('ada/1', 'unread')
  expect(events).toEqual(['relay live ada/1', 'relay live ada/2', 'relay live ada/3', 'relay gone ada/1'])
})

test('who publishes takes the path from a relay, whoever it is; a relay takes it from nobody but another relay', async () => {
  const { hub } = setUp()
  const ends: string[] = []
  hub.relay('ada/cam').onEnd((reason) => void ends.push(`first: ${reason}`))
  hub.relay('ada/cam').onEnd((reason) => void ends.push(`second: ${reason}`))
  ;(await hub.publish('ada/cam', as('bob'))).start(threeTracks)
  expect(ends).toEqual(['first: taken-over', 'second: taken-over'])
  expect(() => hub.relay('ada/cam')).toThrow('Somebody else is publishing to ada/cam')
})

test('another node reads what is published here, and no relay; nothing is fetched from a third node for it', async () => {
  const { hub, events } = setUp()
  hub.relay('ada/cam').start(threeTracks)
  ;(await hub.subscribe('ada/cam', as('bob'))).start(noCalls)
  await expect(hub.readForRelay('ada/cam')).rejects.toMatchObject({ reason: 'not-live', isInternal: true })
  ;(await hub.publish('ada/cam', as('ada'))).start(threeTracks)
  expect((await hub.readForRelay('ada/cam')).description).toEqual(threeTracks)
  expect(events.filter((event) => event.startsWith('wake'))).toEqual([
    'wake ada/cam false',
    'wake ada/cam true',
    'wake ada/cam true',
  ])
})

test('each publisher that was admitted and has never been live is reported once', async () => {
  const { hub, events } = setUp()
  const first = await hub.publish('ada/cam', as('ada'))
  await expect(hub.publish('ada/cam', as('bob'))).rejects.toThrow('Somebody else is publishing to ada/cam')
  await expect(hub.publish('ada/second', as('ada'))).rejects.toMatchObject({ reason: 'limit-reached' })
  await expect(hub.publish('ada/cam', as('eve'))).rejects.toThrow('That is not hers.')
  expect(events).toEqual(['unused ada/cam', 'unused ada/second'])
  first.close()
  first.close()
  const second = await hub.publish('ada/cam', as('ada'))
  second.start(threeTracks)
  second.close()
  expect(events.slice(2)).toEqual(['unused ada/cam', 'live ada/cam', 'gone ada/cam'])
})
