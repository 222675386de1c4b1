import { expect, test } from 'vitest'
import { adviceFor } from './probe-advice.ts'

test.each([
  ['cam:554 answered 401 Unauthorized.', /user and password/],
  ['The server answered: 404.', /Nothing is sent to that path/],
  ['The connection was refused.', /Nothing listens there/],
  ['cam-404.example:1935 rejected the stream.', /^$/],
  ['10.0.0.2:404 sends what is no RTMP.', /^$/],
  ['gate.401.example:4010 sends what is no RTMP.', /^$/],
])('the advice for “%s”', (message, advice) => expect(adviceFor(message)).toMatch(advice))
