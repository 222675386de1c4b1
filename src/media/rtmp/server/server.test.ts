import { describe, expect, test } from 'vitest'
import { type RtmpClient } from '../../../../test/support/rtmp-client.ts'
import { createRtmpRig, deltaTag, isVideo, keyTag, startPublishing, until } from '../../../../test/support/rtmp-rig.ts'
import { MESSAGE } from '../wire/message.ts'
import { createConnectionAdmission } from '../../connection-admission.ts'
import { createRtmpServer } from './server.ts'

describe('the connection', () => {
  test('commands that need nothing done are answered', async () => {
    const rig = await createRtmpRig()
    const client = await rig.client()
    await client.connect('admin', { fourCcList: ['*'] })
    const commands = ['releaseStream', 'FCPublish', 'getStreamLength', '_checkbw', 'somethingNew']
    for (const [index, name] of commands.entries()) client.command(name, index + 2, null, 'cam')
    for (const [index] of commands.entries()) expect((await client.answer('_result'))[1]).toBe(index + 2)
  })

  test('a ping is answered', async () => {
    const rig = await createRtmpRig()
    const client = await rig.client()
    await client.connect('admin')
    client.message(MESSAGE.userControl, Buffer.of(0, 6, 1, 2, 3, 4), 0, 0)
    const pong = await client.waitFor(({ typeId }) => typeId === MESSAGE.userControl)
    expect(pong.payload).toEqual(Buffer.of(0, 7, 1, 2, 3, 4))
  })

  test('received bytes are acknowledged at the window that the client asked for', async () => {
    const rig = await createRtmpRig()
    const client = await rig.client()
    await client.connect('admin')
    client.message(MESSAGE.windowAcknowledgementSize, Buffer.of(0, 0, 0x10, 0), 0, 0)
    client.message(MESSAGE.audio, Buffer.alloc(5000), 0, 0)
    const message = await client.waitFor(({ typeId }) => typeId === MESSAGE.acknowledgement)
    expect(message.payload.readUInt32BE()).toBeGreaterThan(5000)
  })

  test('a connect without any address is rejected', async () => {
    const rig = await createRtmpRig()
    const client = await rig.client()
    client.command('connect', 1, {})
    expect((await client.answer('_error'))[3]).toMatchObject({ code: 'NetConnection.Connect.Rejected' })
    await client.closed
  })

  test.each([
    { what: 'something that is not RTMP', send: (client: RtmpClient) => client.send(Buffer.from('\xff\xff\xff\xff')) },
    { what: 'a command before connect', send: (client: RtmpClient) => client.command('createStream', 1, null) },
    {
      what: 'a message that is too large',
      send: (client: RtmpClient) => client.send(Buffer.from('04000000ffffff0901000000', 'hex')),
    },
  ])('$what ends it', async ({ send }) => {
    const rig = await createRtmpRig()
    const client = await rig.client()
    send(client)
    await client.closed
  })
})

describe('time limits', () => {
  const quick = () => ({ admission: createConnectionAdmission({ setupMs: 60 }) })

  test.each([
    { what: 'says nothing', act: async () => undefined },
    { what: 'never connects', act: async (client: RtmpClient) => client.send(Buffer.alloc(0)) },
    { what: 'connects and does nothing', act: (client: RtmpClient) => client.connect('admin') },
    {
      what: 'ends streams that it never began',
      async act(client: RtmpClient) {
        await client.connect('admin')
        const endAgain = setInterval(() => client.command('deleteStream', 0, null, 1), 10)
        void client.closed.then(() => clearInterval(endAgain))
      },
    },
  ])('a client that $what is let go', async ({ act }) => {
    const rig = await createRtmpRig(quick())
    const client = await rig.client()
    // On a busy machine it may be let go before it is done.
    void act(client).catch(() => undefined)
    await client.closed
  })

  test('a publisher that falls silent is let go, one that sends is not', async () => {
    const rig = await createRtmpRig({ timeouts: { publisherMs: 60 } })
    const client = await startPublishing(rig)
    for (let round = 1; round <= 4; round++) {
      client.message(MESSAGE.video, deltaTag(2), 40 * round)
      // The server stands still for longer than that, as on a machine that was paused.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(rig.events.at(-1)?.type).toBe('live')
    await client.closed
    await until(() => rig.events.at(-1)?.type === 'gone')
  })

  test('a reader may stay as long as it likes', async () => {
    const rig = await createRtmpRig({ admission: createConnectionAdmission({ setupMs: 500 }) })
    const publisher = await startPublishing(rig)
    const reader = await rig.client()
    await reader.play('admin', 'cam')
    await new Promise((resolve) => setTimeout(resolve, 700))
    publisher.message(MESSAGE.video, keyTag(7), 200)
    await reader.waitFor((message) => isVideo(message) && message.payload.at(-1) === 7)
  })
})

describe('the server', () => {
  test('takes no more connections than it may, and from one address', async () => {
    for (const limits of [{ maxConnections: 2 }, { maxPerAddress: 2 }]) {
      const rig = await createRtmpRig({ admission: createConnectionAdmission({ ...limits, reserved: 0 }) })
      const publisher = await startPublishing(rig)
      const idle = await rig.client()
      const reader = await rig.client()
      await idle.closed
      await reader.play('admin', 'cam')
      await (
        await rig.client()
      ).closed
      publisher.close()
      await until(() => rig.events.at(-1)?.type === 'gone')
      await (await rig.client()).connect('admin')
    }
  })

  test('closes with publishers and readers on it', async () => {
    const rig = await createRtmpRig()
    const publisher = await startPublishing(rig)
    const reader = await rig.client()
    await reader.play('admin', 'cam')
    await rig.server.close()
    await Promise.all([publisher.closed, reader.closed])
    expect(rig.events.at(-1)?.type).toBe('gone')
  })

  test('says when its port is taken', async () => {
    const { port, hub } = await createRtmpRig()
    const log = { info: () => undefined, warn: () => undefined }
    const second = createRtmpServer({ hub, host: '127.0.0.1', log })
    await expect(second.listen({ port })).rejects.toThrow('EADDRINUSE')
    await second.close()
  })
})
