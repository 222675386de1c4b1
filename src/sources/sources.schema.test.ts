import { expect, test } from 'vitest'
import { checkInput } from '../core/check-input.ts'
import { NewStream, ProbedStream } from './sources.schema.ts'

test.each([
  ['http://camera/1', 'rtsp', ['body.input_url']],
  ['camera', 'rtsp', ['body.input_url']],
  ['rtmp://camera/1', 'rtsp', ['body.stream_type']],
  ['rtsps://camera/1', 'rtsp', undefined],
])('of %s as %s one mistake is said once', (input_url, stream_type, paths) => {
  const { errors } = checkInput(NewStream, { alias: 'cam', input_url, stream_type }, 'body')
  expect(errors?.map(({ path }) => path)).toEqual(paths)
})

test.each([
  ['camera.local/1', 'rtsp', /^Write an address that begins with rtsp:\/\/ .*rtsp:\/\/camera\.local\/1/],
  ['rtsp://camera:99999/1', 'rtsp', /^This is not a URL; write .*rtsp:\/\/camera\.local:554\/1\.$/],
  ['rtsp://me:p#d@camera/1', 'rtsp', /^Write an @ or # of its password as %40 or %23\.$/],
  ['rtmp://camera/1', 'rtsp', /begins with rtmp: write rtmp here, or give an address that begins with rtsp\.$/],
])('of %s as %s it says what to write', (input_url, stream_type, sentence) => {
  const { errors } = checkInput(NewStream, { alias: 'cam', input_url, stream_type }, 'body')
  expect(errors?.map(({ message }) => message)).toEqual([expect.stringMatching(sentence)])
})

test('an address that is to be looked at is checked alike', () => {
  for (const input_url of ['camera.local/1', 'rtsp://camera:99999/1']) {
    const { errors } = checkInput(ProbedStream, { input_url }, 'body')
    expect(errors?.map(({ message }) => message)).toEqual([expect.stringContaining('rtsp://camera.local')])
  }
})
