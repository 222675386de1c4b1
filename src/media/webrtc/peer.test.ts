import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { webrtcOffer } from '../../../test/builders/webrtc-offer.ts'
import { parseOffer } from './offer.ts'
import { createPeer, type Peer } from './peer.ts'
import { openUdpPort, type UdpPort } from './udp-port.ts'

let udp: UdpPort
beforeEach(async () => {
  udp = await openUdpPort({ host: '127.0.0.1', port: 0, bindAddress: '127.0.0.1' })
})
afterEach(() => udp.close())

function openPeer(): Peer {
  const { port } = udp
  const hosts = { bindAddress: '127.0.0.1', tcpPort: undefined, advertisedHosts: [], stunServers: [] }
  const sdp = webrtcOffer('recvonly')
  const [media] = parseOffer(sdp).media
  const use = { direction: 'send', format: media!.formats[0]!, ssrc: 1 } as const
  return createPeer({ port, ...hosts, mayCall: () => true }, sdp, [{ media: media!, use }])
}

/** In a function of its own, so that nothing here keeps the viewer. */
async function comeAndGo(): Promise<WeakRef<object>> {
  const peer = openPeer()
  const viewer = { peer, heard: 0 }
  peer.tracks[0]!.onMessage(() => void viewer.heard++)
  await peer.answer()
  peer.close()
  return new WeakRef(viewer)
}

test('a peer that is closed keeps nothing of those who listened to its tracks', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const viewer = await comeAndGo()
  await vi.waitFor(
    async () => {
      await nextTurn()
      collectGarbage()
      expect(viewer.deref() === undefined).toBe(true)
    },
    { timeout: 10_000 },
  )
})

test('what is sent after the end is dropped', () => {
  const peer = openPeer()
  peer.close()
  peer.tracks[0]!.send(Buffer.alloc(12))
  peer.close()
})
