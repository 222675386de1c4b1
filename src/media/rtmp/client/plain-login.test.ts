import { expect, test } from 'vitest'
import { withPlainLogin } from './plain-login.ts'
import { parseRtmpAddress } from './rtmp-address.ts'

const DENIED = { code: 'NetStream.Publish.Denied' }

test.each([
  ['rtmp://me:p%40ss%26@host/live/cam', { app: 'live', name: 'cam?user=me&pass=p%40ss%26', tcUrl: 'rtmp://host/live' }],
  ['rtmp://me:pw@host/live/cam?x=1', { app: 'live', name: 'cam?x=1&user=me&pass=pw', tcUrl: 'rtmp://host/live' }],
  ['rtmp://me:pw@host/cam', { app: 'cam?user=me&pass=pw', name: '', tcUrl: 'rtmp://host/cam?user=me&pass=pw' }],
])('the login of %s stands in a query', (url, expected) => {
  expect(withPlainLogin(parseRtmpAddress(url), DENIED)).toMatchObject(expected)
})

test.each([
  ['rtmp://host/live/cam', DENIED.code],
  ['rtmp://me@host/live/cam', DENIED.code],
  ['rtmp://me:pw@host/live/cam', 'NetStream.Publish.BadName'],
  ['rtmp://me:pw@host/live/cam', 'NetConnection.Connect.Rejected'],
  ['rtmp://me:pw@host/live/cam', ''],
])('%s that is refused by %j is not logged in', (url, code) => {
  expect(withPlainLogin(parseRtmpAddress(url), { code })).toBeUndefined()
})
