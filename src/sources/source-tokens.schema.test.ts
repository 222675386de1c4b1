import { expect, test } from 'vitest'
import { browserUrls } from './source-tokens.schema.ts'

test('a token’s addresses in browsers are for what it may do', () => {
  const token = { id: 't', sourceId: 's', expiresAt: null, createdAt: 0 }
  const of = (action: 'read' | 'publish') =>
    browserUrls('admin/cam', { ...token, action }, 'tk_1', 'https://video.example.org')
  expect(of('read')).toEqual({
    hls: 'https://video.example.org/hls/admin/cam/index.m3u8?token=tk_1',
    webrtc: 'https://video.example.org/webrtc/admin/cam?token=tk_1',
  })
  expect(of('publish')).toEqual({ webrtc: 'https://video.example.org/webrtc/admin/cam/whip?token=tk_1' })
})
