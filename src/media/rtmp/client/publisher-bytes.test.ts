import { duplexPair } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { H264, idr } from '../../../../test/builders/flv-tags.ts'
import { receive } from '../../../../test/support/rtmp-receiver.ts'
import { until } from '../../../../test/support/rtmp-rig.ts'
import { MESSAGE } from '../wire/message.ts'
import { PUBLISHER_ROLE } from './publisher.ts'
import { parseRtmpAddress } from './rtmp-address.ts'
import { beginSession } from './session.ts'
import { type EncodedPicture } from './video-sender.ts'

const KEY: EncodedPicture = { nalUnits: [H264.sps, H264.pps, idr(1)], ptsMs: 0, isKeyframe: true }

const address = parseRtmpAddress('rtmp://host/live/stream-key')

/** The server's bytes come in pieces: each of its writes is cut by `cut`. */
async function publishInPieces(cut: (data: Buffer) => Buffer[]): Promise<void> {
  const [ours, theirs] = duplexPair()
  const peer = receive(theirs, () => false, cut)
  const publisher = await beginSession(ours, address, PUBLISHER_ROLE, {})
  publisher.write(KEY)
  void publisher.close()
  await until(() => peer.commands.at(-1)?.name === 'deleteStream')
  expect(peer.messages.filter(({ typeId }) => typeId === MESSAGE.video)).toHaveLength(2)
  theirs.destroy()
  ours.destroy()
}

test('answers may be split at every place', { timeout: 30_000 }, async () => {
  for (let at = 1; at < 260; at++) await publishInPieces((data) => [data.subarray(0, at), data.subarray(at)])
})

test('answers may come byte by byte', async () => {
  await publishInPieces((data) => Array.from(data, (byte) => Buffer.of(byte)))
})

test('random bytes after the handshake end it, or leave it waiting for its answer', async () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(bytes, async (noise) => {
      const [ours, theirs] = duplexPair()
      receive(theirs, ({ name }, peer) => name === 'connect' && (peer.send(Buffer.from(noise)), !!theirs.end()))
      await expect(beginSession(ours, address, PUBLISHER_ROLE, {})).rejects.toThrow(/^host:1935 /)
    }),
    { numRuns: 100 },
  )
})
