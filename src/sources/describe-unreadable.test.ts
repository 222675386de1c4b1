import { expect, test } from 'vitest'
import { describeUnreadable } from './describe-unreadable.ts'

test.each([
  ['cam:554 answered 401 Unauthorized.', /\. Give the right user and password/],
  ['The server answered: 404.', /\. Nothing is sent to that path/],
  ['The connection was refused', /refused\. Nothing listens there/],
  ['cam-404.example:1935 rejected the stream.', /stream\.$/],
  ['10.0.0.2:404 sends what is no RTMP.', /RTMP\.$/],
  ['gate.401.example:4010 sends what is no RTMP.', /RTMP\.$/],
  ['rtsp://me:secret@cam/1 is not there', /: rtsp:\/\/me:\*\*\*@cam\/1 is not there\.$/],
])('“%s” is said with what to do about it', (message, sentence) =>
  expect(describeUnreadable('It', message)).toMatch(sentence),
)
