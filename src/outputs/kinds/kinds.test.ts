import { describe, expect, test } from 'vitest'
import { kindOf, outputKinds, outputTypes, problemWithUrl, urlDescription } from './kinds.ts'
import { rtmp } from './rtmp.ts'
import { rtsp } from './rtsp.ts'

test('kinds are listed once, and found by their type', () => {
  expect(outputTypes).toEqual(['rtsp', 'rtmp', 'detection_data', 'drone_data'])
  expect(outputTypes.map((type) => kindOf({ type }))).toEqual(outputKinds)
})

test('documentation and sentences name every kind that has an address', () => {
  expect(urlDescription).toBe(
    'rtsp: `rtsp://<stream_path>`, which is then served at rtsp://<host>:8554/<username>/<stream_path>, and with a certificate at rtsps://<host>:8322/<username>/<stream_path> too. ' +
      'rtmp: `rtmp://<host>:<port>/<stream_path>` of a server of yours. None for websockets.',
  )
  const missing = 'It is missing: give an address, as in rtsp://yard/gate or rtmp://host:port/app/name.'
  expect(outputTypes.map((type) => problemWithUrl(type, undefined))).toEqual([missing, missing, undefined, undefined])
})

test.each([
  ['rtsp', 'rtsp://yard/gate', undefined],
  ['rtsp', 'http://yard', /behind rtsp:\/\//],
  ['rtsp', 'rtsp://host:8554/yard', /no host and no port/],
  ['rtsp', 'rtsp://192.0.2.1/yard', /no host,/],
  ['rtsp', 'rtsp://yärd', /letters, digits/],
  ['rtsp', 'rtsp://yard/~preview', /~preview/],
  ['rtmp', 'rtmps://host/app/name', undefined],
  ['rtmp', 'rtsp://host/app', /begins with rtmp/],
  ['rtmp', 'rtmp://[/app', /not a URL/],
  ['rtmp', 'rtmp:///app', /names no host/],
  ['rtmp', 'rtmp://host', /names no stream/],
  ['detection_data', 'anything', undefined],
] as const)('%s %s', (type, url, problem) => {
  const said = problemWithUrl(type, url)
  if (problem) expect(said).toMatch(problem)
  else expect(said).toBeUndefined()
})

describe('rtsp', () => {
  const { video } = rtsp

  test('is a path of our media server below its owner’s name, and calls no host', () => {
    const url = video.normalize('rtsp://yard/gate//')
    const mediaPath = video.mediaPathOf('ann', url)
    expect([url, mediaPath, video.hostOf()]).toEqual(['rtsp://yard/gate', 'ann/yard/gate', null])
    expect(video.targetOf({ url, mediaPath: mediaPath! })).toEqual({ kind: 'hub', path: 'ann/yard/gate' })
  })

  test('has no path where that would be too long', () => {
    expect(video.mediaPathOf('ann', `rtsp://${'x'.repeat(500)}`)).toBeUndefined()
  })
})

test('rtmp calls the host of its address', () => {
  const { video } = rtmp
  const url = 'rtmp://user:secret@host:1936/app/name'
  expect([video.normalize(url), video.mediaPathOf(), video.hostOf(url)]).toEqual([url, null, 'host'])
  expect(video.targetOf({ url, mediaPath: null })).toEqual({ kind: 'rtmp', url })
})
