import { describe, expect, test } from 'vitest'
import { readStreamAddress } from './stream-address.ts'

const KEY = { kind: 'key', key: 'K' }

describe('however a client splits it, the path is the same', () => {
  test.each([
    ['admin', 'cam1', 'admin/cam1'],
    ['admin/', 'cam1', 'admin/cam1'],
    ['admin', '/cam1', 'admin/cam1'],
    ['/admin/', '/cam1/', 'admin/cam1'],
    ['admin/site', 'cam', 'admin/site/cam'],
    ['admin', 'site/cam', 'admin/site/cam'],
    ['admin/cam1', '', 'admin/cam1'],
    ['', 'admin/cam1', 'admin/cam1'],
    ['admin', 'mp4:cam1', 'admin/cam1'],
    ['admin?api_key=K', 'cam1', 'admin/cam1'],
    ['admin', 'cam1?api_key=K', 'admin/cam1'],
    ['admin?api_key=K/', 'cam1', 'admin/cam1'],
  ])('%j and %j are %j', (app, name, path) => expect(readStreamAddress({ app, tcUrl: '' }, name).path).toBe(path))

  test('without an application the URL says it', () => {
    expect(readStreamAddress({ app: '', tcUrl: 'rtmp://host:1935/admin/site' }, 'cam').path).toBe('admin/site/cam')
  })
})

describe('credentials', () => {
  test.each([
    { where: 'behind the name', app: 'admin', tcUrl: '', name: 'cam?api_key=K', expected: KEY },
    { where: 'behind the application', app: 'admin?api_key=K', tcUrl: '', name: 'cam', expected: KEY },
    { where: 'behind the application, with a slash', app: 'admin?api_key=K/', tcUrl: '', name: 'cam', expected: KEY },
    { where: 'in the URL', app: 'admin', tcUrl: 'rtmp://host/admin?api_key=K', name: 'cam', expected: KEY },
    { where: 'nearest to the name', app: 'admin?api_key=Z', tcUrl: '', name: 'cam?api_key=K', expected: KEY },
    { where: 'as a token', app: 'a', tcUrl: '', name: 'cam?x=1&token=T', expected: { kind: 'token', token: 'T' } },
    {
      where: 'as parameters',
      app: 'a',
      tcUrl: '',
      name: 'cam?user=me&pass=p%40ss',
      expected: { kind: 'password', username: 'me', password: 'p@ss' },
    },
    {
      where: 'as userinfo',
      app: 'a',
      tcUrl: 'rtmps://me:p%40ss@host:1935/a',
      name: 'cam',
      expected: { kind: 'password', username: 'me', password: 'p@ss' },
    },
    { where: 'nowhere', app: 'a', tcUrl: 'rtmp://host/a', name: 'cam', expected: { kind: 'none' } },
    { where: 'nowhere, with an empty key', app: 'a', tcUrl: '', name: 'cam?api_key=', expected: { kind: 'none' } },
    { where: 'nowhere, in a URL that is none', app: 'a', tcUrl: 'rtmp://[', name: 'cam', expected: { kind: 'none' } },
    {
      where: 'as userinfo that is badly encoded',
      app: 'a',
      tcUrl: 'rtmp://me:%zz@host/a',
      name: 'cam',
      expected: { kind: 'password', username: 'me', password: '%zz' },
    },
  ])('$where', ({ app, tcUrl, name, expected }) => {
    expect(readStreamAddress({ app, tcUrl }, name).credentials).toEqual(expected)
  })
})
