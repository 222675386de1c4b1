import { expect, test } from 'vitest'
import {
  aacConfigurationTag,
  aacFrameTag,
  avcConfigurationTag,
  idr,
  predicted,
  withLengths,
} from '../../../../test/builders/flv-tags.ts'
import {
  createRtmpRig,
  deltaTag,
  isVideo,
  keyTag,
  SECRET,
  startPublishing,
  until,
} from '../../../../test/support/rtmp-rig.ts'
import { createConnectionAdmission } from '../../connection-admission.ts'
import { readAmf0 } from '../wire/amf0-reader.ts'
import { parseVideoTag } from '../wire/flv-video.ts'
import { MESSAGE } from '../wire/message.ts'
import { parseAudioTag } from '../wire/flv-audio.ts'

test('a reader begins with metadata, configuration and the last keyframe, at time 0', async () => {
  const rig = await createRtmpRig()
  const publisher = await startPublishing(rig)
  publisher.message(MESSAGE.video, keyTag(2, 200_000), 60_000)
  publisher.message(MESSAGE.video, deltaTag(3), 60_040)

  const reader = await rig.client()
  expect(await reader.play('admin', 'cam')).toMatchObject({ code: 'NetStream.Play.Reset' })
  expect(await reader.status()).toMatchObject({ code: 'NetStream.Play.Start' })
  const metadata = await reader.waitFor(({ typeId }) => typeId === MESSAGE.dataAmf0)
  expect(readAmf0(metadata.payload)).toMatchObject(['onMetaData', { width: 1920, height: 1080, videocodecid: 7 }])
  expect(parseVideoTag((await reader.waitFor(isVideo)).payload).kind).toBe('configuration')

  const first = await reader.waitFor(isVideo)
  expect(first.timestamp).toBe(0)
  expect(parseVideoTag(first.payload)).toMatchObject({ isKeyframe: true })
  expect(first.payload.subarray(5).equals(withLengths([idr(2, 200_000)]))).toBe(true)
  const second = await reader.waitFor(isVideo)
  expect(parseVideoTag(second.payload)).toMatchObject({ isKeyframe: false, data: withLengths([predicted(3)]) })
})

test('sound and pictures keep their distance', async () => {
  const rig = await createRtmpRig()
  const publisher = await rig.client()
  await publisher.publish('admin', `cam?api_key=${SECRET}`)
  publisher.message(MESSAGE.video, avcConfigurationTag())
  publisher.message(MESSAGE.audio, aacConfigurationTag())
  publisher.message(MESSAGE.video, keyTag(1), 5000)
  await until(() => rig.events.length === 1)
  const reader = await rig.client()
  await reader.play('admin', 'cam')
  for (const ms of [5016, 5037, 5058]) publisher.message(MESSAGE.audio, aacFrameTag(Buffer.of(0x21, 1)), ms)
  publisher.message(MESSAGE.video, deltaTag(2), 5100)

  const pictures: number[] = []
  const sounds: number[] = []
  while (pictures.length < 2 || sounds.length < 3) {
    const { typeId, timestamp, payload } = await reader.waitFor(({ typeId }) => typeId === 8 || typeId === 9)
    const tag = typeId === MESSAGE.video ? parseVideoTag(payload) : parseAudioTag(payload)
    if (tag.kind === 'frame') (typeId === MESSAGE.video ? pictures : sounds).push(timestamp)
  }
  // The stream allows for two reordered pictures, so decoding begins that much before presentation.
  expect(pictures).toEqual([0, 34])
  expect(sounds.map((ms) => ms - 67)).toEqual([16, 37, 59])
})

test('a path where nobody publishes is not found', async () => {
  const rig = await createRtmpRig()
  const reader = await rig.client()
  expect(await reader.play('admin', 'nobody')).toMatchObject({
    level: 'error',
    code: 'NetStream.Play.StreamNotFound',
  })
  await reader.closed
})

test('a reader has the time that calling its camera takes', async () => {
  const admission = createConnectionAdmission({ setupMs: 500 })
  const rig = await createRtmpRig({ admission, wake: () => new Promise((resolve) => setTimeout(resolve, 1_000)) })
  await startPublishing(rig)
  const reader = await rig.client()
  expect(await reader.play('admin', 'cam')).toMatchObject({ code: 'NetStream.Play.Reset' })
})

test('the end of the stream is sent, then the connection ends', async () => {
  const rig = await createRtmpRig()
  const publisher = await startPublishing(rig)
  const reader = await rig.client()
  await reader.play('admin', 'cam')
  await reader.status()
  publisher.close()
  expect(await reader.status()).toMatchObject({ code: 'NetStream.Play.UnpublishNotify' })
  await reader.closed
})

test('a reader that does not read is let go; the others go on', async () => {
  const rig = await createRtmpRig({ limits: { maxQueuedBytes: 500_000 } })
  const publisher = await startPublishing(rig)
  const [slow, quick] = [await rig.client(), await rig.client()]
  for (const reader of [slow, quick]) {
    await reader.play('admin', 'cam')
    await reader.waitFor(isVideo)
  }
  slow.pauseReading()
  for (let i = 2; !rig.logged.join().includes('A reader was too slow.'); i++) {
    publisher.message(MESSAGE.video, keyTag(i & 0xff, 300_000), i * 40)
    await quick.waitFor((message) => isVideo(message) && message.payload.length > 300_000)
  }
})

test('a paused reader goes on with a keyframe', async () => {
  const rig = await createRtmpRig()
  const publisher = await startPublishing(rig)
  const reader = await rig.client()
  await reader.play('admin', 'cam')
  await reader.status()
  reader.command('pause', 0, null, true, 0)
  expect(await reader.status()).toMatchObject({ code: 'NetStream.Pause.Notify' })
  reader.command('pause', 0, null, false, 0)
  expect(await reader.status()).toMatchObject({ code: 'NetStream.Unpause.Notify' })
  publisher.message(MESSAGE.video, deltaTag(2), 40)
  publisher.message(MESSAGE.video, keyTag(3), 80)
  expect(parseVideoTag((await reader.waitFor(isVideo)).payload)).toMatchObject({ isKeyframe: true })
})
