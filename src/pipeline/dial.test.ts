import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { dialable } from './dial.ts'

const lists = { deny: ['10.0.0.0/8'], allow: [] }

test.each([
  ['rtsp://127.0.0.1:8554/cam', 'rtsp://127.0.0.1:8554/cam'],
  ['rtsp://user:p%40ss@127.0.0.1/a/b?c=d', 'rtsp://user:p%40ss@127.0.0.1/a/b?c=d'],
  ['rtmp://[::1]:1935/live/x?token=1', 'rtmp://[::1]:1935/live/x?token=1'],
])('%s is dialled as it stands', async (url, dialled) => {
  expect(await dialable(url, lists)).toBe(dialled)
})

test.each([
  ['rtsp://localhost:554/cam', /^rtsp:\/\/(127\.0\.0\.1|\[::1\]):554\/cam$/],
  // The name stands in the userinfo, too.
  ['rtsp://localhost:localhost@localhost/cam', /^rtsp:\/\/localhost:localhost@(127\.0\.0\.1|\[::1\])\/cam$/],
])('in %s the host’s name is replaced by the address that was checked', async (url, dialled) => {
  expect(await dialable(url, lists)).toMatch(dialled)
})

test.each(['rtsp://10.1.2.3/cam', 'rtsp://169.254.169.254/latest', 'rtmp://0.0.0.0/live/x', 'rtsp://[fe80::1]/cam'])(
  '%s may not be called',
  async (url) => {
    await expect(dialable(url, lists)).rejects.toMatchObject({
      failure: 'source-unreadable',
      message: expect.stringContaining('AERIE_OUTBOUND_DENY') as string,
    })
  },
)

test('what the operator allows may be called all the same', async () => {
  expect(await dialable('rtsp://10.1.2.3/cam', { deny: ['10.0.0.0/8'], allow: ['10.1.2.0/24'] })).toContain('10.1.2.3')
})

test('a host that is not there is told of, and may be there later', async () => {
  const failure = await dialable('rtsp://no-such-host.invalid/cam', lists).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'HostRefused', message: 'There is no host no-such-host.invalid.' })
})

test('of a name’s addresses the first at which somebody listens is dialled, and none that may not be', async () => {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.3', resolve))
  const { port } = server.address() as AddressInfo
  const addresses = ['10.0.0.1', '127.0.0.2', '127.0.0.3'].map((address) => ({ address, family: 4 }))
  const url = `rtsp://camera.example:${port}/cam`
  expect(await dialable(url, lists, async () => addresses)).toBe(`rtsp://127.0.0.3:${port}/cam`)
  await new Promise((resolve) => server.close(resolve))
  expect(await dialable(url, lists, async () => addresses)).toBe(`rtsp://127.0.0.2:${port}/cam`)
})
