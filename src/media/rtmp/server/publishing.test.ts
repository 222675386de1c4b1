import { expect, test } from 'vitest'
import { createCollectingReader } from '../../../../test/builders/collecting-reader.ts'
import { H264, idr, predicted } from '../../../../test/builders/flv-tags.ts'
import {
  createRtmpRig,
  deltaTag,
  SECRET,
  sendBeginning,
  startPublishing,
  until,
} from '../../../../test/support/rtmp-rig.ts'
import { MESSAGE } from '../wire/message.ts'

const OPEN = { remoteAddress: '127.0.0.1', protocol: 'rtmp', credentials: { kind: 'none' } } as const

test('pictures arrive at the hub, with their sets', async () => {
  const rig = await createRtmpRig()
  const client = await startPublishing(rig)
  const subscription = await rig.hub.subscribe('admin/cam', OPEN)
  const reader = createCollectingReader(subscription.description)
  subscription.start(reader)
  client.message(MESSAGE.video, deltaTag(2), 40)
  await until(() => reader.pictures.length === 2)
  expect(reader.pictures.map(({ nalUnits }) => nalUnits)).toEqual([[H264.sps, H264.pps, idr(1)], [predicted(2)]])
  expect(reader.reports[0]).toMatchObject({ track: 0 })
})

test.each(['deleteStream', 'closeStream', 'FCUnpublish'])('%s ends the stream', async (command) => {
  const rig = await createRtmpRig()
  const client = await startPublishing(rig)
  client.command(command, 0, null, 1)
  expect(await client.status()).toMatchObject({ code: 'NetStream.Unpublish.Success' })
  expect(rig.events.at(-1)).toMatchObject({ type: 'gone', reason: 'publisher-left' })
})

test('the end of the connection ends the stream', async () => {
  const rig = await createRtmpRig()
  const client = await startPublishing(rig)
  client.close()
  await until(() => rig.events.at(-1)?.type === 'gone')
})

test.each([
  { name: 'no key', stream: 'cam', code: 'NetStream.Publish.Denied', description: 'Say who you are.' },
  {
    name: 'a wrong key',
    stream: 'cam?api_key=x',
    code: 'NetStream.Publish.Denied',
    description: 'The key is wrong.',
  },
  {
    name: 'a bad path',
    stream: `../x?api_key=${SECRET}`,
    code: 'NetStream.Publish.BadName',
    description: 'A stream path is',
  },
])('publishing with $name is refused, and the connection ends', async ({ stream, code, description }) => {
  const rig = await createRtmpRig()
  const client = await rig.client()
  const status = await client.publish('admin', stream)
  expect(status).toMatchObject({ level: 'error', code })
  expect(status.description).toContain(description)
  await client.closed
})

test('a path that somebody else has is refused', async () => {
  const rig = await createRtmpRig()
  await startPublishing(rig)
  const second = await rig.client()
  expect(await second.publish('admin', `cam?api_key=${SECRET}2`)).toMatchObject({ code: 'NetStream.Publish.BadName' })
})

test('a publisher that comes back takes over, and the old connection is notified', async () => {
  const rig = await createRtmpRig()
  const first = await startPublishing(rig)
  const second = await rig.client()
  expect(await second.publish('admin', `cam?api_key=${SECRET}`)).toMatchObject({ code: 'NetStream.Publish.Start' })
  expect(await first.status()).toMatchObject({ level: 'error', code: 'NetStream.Publish.BadName' })
  await first.closed
  sendBeginning(second)
  await until(() => rig.events.filter(({ type }) => type === 'live').length === 2)
})

test.each(['publish', 'play'] as const)(
  'a name to %s that is too long is refused before it is looked into',
  async (action) => {
    const rig = await createRtmpRig()
    const client = await rig.client()
    const status = await client[action]('admin', 'c'.repeat(1025))
    expect(status.description).toBe('An address may have 1024 characters; shorten it.')
    await client.closed
  },
)

test('keys never reach the log, wherever they were written', async () => {
  const rig = await createRtmpRig()
  for (const [app, name] of [
    ['admin', `cam?api_key=${SECRET}`],
    ['admin', SECRET],
    [`admin?api_key=${SECRET}`, 'cam2'],
    ['admin', `cam&api_key=${SECRET}`],
    ['other', `cam?api_key=${SECRET}&token=${SECRET}`],
  ] as const) {
    await (await rig.client()).publish(app, name)
  }
  expect(rig.logged.length).toBeGreaterThan(4)
  expect(rig.logged.join('\n')).not.toContain('0123456789')
})

test('a codec that changes in mid-stream ends the connection', async () => {
  const rig = await createRtmpRig()
  const client = await startPublishing(rig)
  client.message(MESSAGE.video, Buffer.from('\x90hvc1record', 'latin1'), 40)
  await client.closed
  expect(rig.logged.join()).toContain('codec changed')
})
