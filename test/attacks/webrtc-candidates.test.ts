/** An offer that names an address as one of the browser's made the service send STUN packets there, no matter whose it was. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import ndc from 'node-datachannel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { publish, type Running } from '../support/ffmpeg.ts'
import { until } from '../support/until.ts'

/** Also an address that is never called, so that the packets' way is short. */
const VICTIM = '127.0.0.66'
/** ICE begins at once and tries again for seconds. */
const LONG_ENOUGH_MS = 3_000

let service: AttackedService
let camera: Running
beforeAll(async () => {
  service = await startAttacked({ AERIE_OUTBOUND_DENY: `${VICTIM}/32` })
  camera = publish(service.rtspUrl('mallory/cam').replace('//', `//mallory:${service.mallory}@`), { audio: false })
})
afterAll(async () => {
  await camera.kill()
  await service.installation.remove()
})

const offerTo = (sdp: string) =>
  fetch(`${service.url}/webrtc/mallory/cam/whep`, {
    method: 'POST',
    headers: { api_key: service.mallory, 'content-type': 'application/sdp' },
    body: sdp,
  })

/** What a browser would offer, with one more address of its own. */
async function createOffer(candidate: string): Promise<string> {
  const browser = new ndc.PeerConnection('browser', { iceServers: [], disableAutoNegotiation: true })
  const video = new ndc.Video('0', 'RecvOnly')
  video.addH264Codec(96)
  browser.addTrack(video)
  browser.setLocalDescription('offer')
  const { sdp } = browser.localDescription()!
  browser.close()
  const lines = sdp.split('\r\n').filter((line) => line !== '' && !line.startsWith('a=candidate'))
  return [...lines.filter((line) => line !== 'a=end-of-candidates'), candidate, ''].join('\r\n')
}

test('no packet goes to an address that may not be called', async () => {
  const victim = createSocket('udp4').bind(0, VICTIM)
  await once(victim, 'listening')
  let packets = 0
  victim.on('message', () => packets++)
  const sdp = await createOffer(`a=candidate:1 1 UDP 2113937151 ${VICTIM} ${victim.address().port} typ host`)
  await until(async () => (await offerTo(sdp)).status === 201, 20_000)
  await wait(LONG_ENOUGH_MS)
  victim.close()
  expect(packets).toBe(0)
})
