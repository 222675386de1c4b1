import { expect, test } from 'vitest'
import { type MediaPorts } from '../core/service-ports.ts'
import { createMediaAddresses } from './media-addresses.ts'

const closed = { rtspPort: undefined, rtmpPort: undefined, rtspsPort: undefined, rtmpsPort: undefined }
const PLAIN: MediaPorts = { ...closed, rtspPort: 8554, rtmpPort: 1935 }
const ENCRYPTED: MediaPorts = { ...closed, rtspsPort: 8322, rtmpsPort: 1936 }
const BOTH: MediaPorts = { ...PLAIN, rtspsPort: 8322, rtmpsPort: 1936 }

const addressesOn = (ports: MediaPorts) =>
  createMediaAddresses({
    ports: () => ports,
    publicUrl: 'https://video.example.org',
    host: '0.0.0.0',
    leadsHere: async (_callerId, hostname) =>
      ['localhost', 'our-host-name', '127.0.0.1', '[::1]', '[::ffff:7f00:1]'].includes(hostname),
  })
const addresses = addressesOn(PLAIN)

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

test.each([
  ['rtsps://localhost:8322/admin/cam', 'admin/cam'],
  ['rtsp://localhost:8322/admin/cam', 'admin/cam'],
  ['rtsp://localhost:8554/admin/cam', 'admin/cam'],
  ['rtmps://localhost:1936/admin/cam', 'admin/cam'],
  ['rtmp://video.example.org/admin/cam', 'admin/cam'],
  ['rtmps://localhost/admin/cam', undefined],
  ['rtsps://localhost:1936/admin/cam', undefined],
])('with a certificate, %s is our path %s', async (url, path) =>
  expect(await addressesOn(BOTH).pathOf(url, 'caller')).toBe(path),
)

test('a port that is closed is not ours', async () => {
  expect(await addressesOn(PLAIN).pathOf('rtsps://localhost:8322/admin/cam', 'caller')).toBeUndefined()
  expect(await addressesOn(ENCRYPTED).pathOf('rtsp://localhost:8554/admin/cam', 'caller')).toBeUndefined()
  const onDefaultPorts = addressesOn({ ...ENCRYPTED, rtspsPort: 322, rtmpsPort: 443 })
  expect(await onDefaultPorts.pathOf('rtsps://localhost/admin/cam', 'caller')).toBe('admin/cam')
  expect(await onDefaultPorts.pathOf('rtmps://localhost/admin/cam', 'caller')).toBe('admin/cam')
})

const rtsp = 'rtsp://admin:tk_1@video.example.org:8554/admin/cam'
const rtmp = 'rtmp://video.example.org:1935/admin/cam?token=tk_1'
const rtsps = 'rtsps://admin:tk_1@video.example.org:8322/admin/cam'
const rtmps = 'rtmps://video.example.org:1936/admin/cam?token=tk_1'

test.each([
  ['without a certificate', PLAIN, { rtsp, rtmp }],
  ['with one', BOTH, { rtsp: rtsps, rtmp: rtmps, rtsp_plain: rtsp, rtmp_plain: rtmp }],
  ['with one, and the plain ports off', ENCRYPTED, { rtsp: rtsps, rtmp: rtmps }],
])('addresses with a token are ready to be used: %s', (_name, ports, urls) =>
  expect(addressesOn(ports).urlsWithToken('admin/cam', 'tk_1', 'ignored')).toEqual(urls),
)

test.each([
  ['without a certificate', PLAIN, 'rtsp://127.0.0.1:8554', 'rtsp://video.example.org:8554', undefined],
  ['with one', BOTH, 'rtsp://127.0.0.1:8554', 'rtsps://video.example.org:8322', 'rtsp://video.example.org:8554'],
  [
    'with one, and the plain ports off',
    ENCRYPTED,
    'rtsps://127.0.0.1:8322',
    'rtsps://video.example.org:8322',
    undefined,
  ],
])('our own workers dial plain where it is open, players by TLS: %s', (_name, ports, own, play, plain) => {
  const on = addressesOn(ports)
  expect(on.internalRtspUrl('admin/cam', 't')).toBe(`${own}/admin/cam?token=t`)
  expect(on.playUrl('admin/cam', 't', 'ignored')).toBe(`${play}/admin/cam?token=t`)
  expect(on.plainPlayUrl('admin/cam', 't', 'ignored')).toBe(plain && `${plain}/admin/cam?token=t`)
})

test('who has shown no key is told of addresses that work', () => {
  expect(addressesOn(PLAIN).howToGiveAKey()).toBe(
    'Give your key: rtsp://<username>:KEY@host:8554/<path>, or rtmp://host:1935/<path>?api_key=KEY.',
  )
  expect(addressesOn(BOTH).howToGiveAKey()).toBe(
    'Give your key: rtsps://<username>:KEY@host:8322/<path>, or rtmps://host:1936/<path>?api_key=KEY.',
  )
})
