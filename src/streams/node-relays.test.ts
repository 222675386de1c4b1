import { beforeEach, expect, test } from 'vitest'
import { type ToMediaServer } from '../media/messages.ts'
import { createNodeRelays } from './node-relays.ts'

let node: ReturnType<typeof createNodeRelays>
let sent: ToMediaServer[]
beforeEach(() => {
  node = createNodeRelays()
  sent = []
  node.relayReports.onOrder((message) => void sent.push(message))
})

test('a push resolves when the stream flows, and is ended by its caller', async () => {
  const pushed = node.nodeRelays.push('ann/cam', 'rtsp://b:8554/ann/cam')
  expect(sent).toEqual([{ type: 'push', id: '1', path: 'ann/cam', url: 'rtsp://b:8554/ann/cam' }])
  node.relayReports.pushed({ type: 'pushed', id: '1' })
  const end = await pushed
  end()
  expect(sent.at(-1)).toEqual({ type: 'unpush', id: '1' })
})

test('a push that fails says why, also when the media server dies', async () => {
  const refused = node.nodeRelays.push('ann/cam', 'rtsp://b:8554/ann/cam')
  node.relayReports.pushed({ type: 'pushed', id: '1', failure: 'Connection refused.' })
  await expect(refused).rejects.toThrow('Connection refused.')
  const interrupted = node.nodeRelays.push('ann/cam', 'rtsp://b:8554/ann/cam')
  node.relayReports.clear()
  await expect(interrupted).rejects.toThrow('does not answer')
  node.relayReports.pushed({ type: 'pushed', id: 'unknown' })
})

test('how a stream comes here is the cluster’s to say; what fails there is no words for viewers', async () => {
  expect(await node.relayReports.route('ann/cam')).toMatchObject({ kind: 'none' })
  node.nodeRelays.routeBy(async (path, failure) => ({ kind: 'pull', url: `rtsp://b/${path} ${failure}` }))
  expect(await node.relayReports.route('ann/cam', 'Refused.')).toEqual({
    kind: 'pull',
    url: 'rtsp://b/ann/cam Refused.',
  })
  node.nodeRelays.routeBy(() => Promise.reject(new Error('select secret from service_secret')))
  expect(await node.relayReports.route('ann/cam')).toEqual({
    kind: 'none',
    sentence: 'The node where it is live does not answer; try again in a moment.',
  })
})
