import { expect, test } from 'vitest'
import { createMediaAddresses } from './media-addresses.ts'

const addresses = createMediaAddresses({
  ports: () => ({ rtspPort: 8554, rtmpPort: 1935 }),
  publicUrl: 'https://video.example.org',
  host: '0.0.0.0',
  isTls: false,
  leadsHere: async (_callerId, hostname) =>
    ['localhost', 'our-host-name', '127.0.0.1', '[::1]', '[::ffff:7f00:1]'].includes(hostname),
})

test.each([
  ['rtsp://localhost:8554/admin/cam', 'admin/cam'],
  ['rtsp://user:secret@127.0.0.1:8554/admin/site/cam/', 'admin/site/cam'],
  ['rtmp://video.example.org/admin/cam?api_key=x', 'admin/cam'],
  ['rtsp://[::1]:8554/admin/cam', 'admin/cam'],
  ['rtsps://localhost:8554/admin/cam', 'admin/cam'],
  ['rtsp://127.1:8554/admin/cam', 'admin/cam'],
  ['rtsp://2130706433:8554/admin/cam', 'admin/cam'],
  ['rtsp://[::ffff:7f00:1]:8554/admin/cam', 'admin/cam'],
  ['rtsp://our-host-name:8554/bob/cam', 'bob/cam'],
  ['rtmp://our-host-name/bob/cam', 'bob/cam'],
  ['rtsp://localhost:554/admin/cam', undefined],
  ['rtsp://camera.example.org:8554/admin/cam', undefined],
  ['rtmp://localhost:8554/admin/cam', undefined],
  ['rtsp://localhost:8554/cam', null],
  ['rtsp://localhost:8554/admin/a%20b', null],
])('%s is our path %s', async (url, path) => expect(await addresses.pathOf(url, 'caller')).toBe(path))

test('addresses with a token are ready to be used', () => {
  expect(addresses.urlsWithToken('admin/cam', 'tk_1', 'ignored')).toEqual({
    rtsp: 'rtsp://admin:tk_1@video.example.org:8554/admin/cam',
    rtmp: 'rtmp://video.example.org:1935/admin/cam?token=tk_1',
  })
})
