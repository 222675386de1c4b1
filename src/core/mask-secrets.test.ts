import { expect, test } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

test.each([
  ['rtsp://cam:s3cret@10.0.0.5:554/live', 'rtsp://cam:***@10.0.0.5:554/live'],
  ['rtsp://cam:@10.0.0.5/live', 'rtsp://cam:***@10.0.0.5/live'],
  ['rtmp://host/app/name?api_key=ak_abc&x=1', 'rtmp://host/app/name?api_key=***&x=1'],
  ['/process/1/feed?x=1&token=tok_1#top', '/process/1/feed?x=1&token=***#top'],
  ['opened rtsp://a:b@c/d and rtsp://e:f@g/h', 'opened rtsp://a:***@c/d and rtsp://e:***@g/h'],
  ['a key ak_0123456789abcdefghijklmnopqrstuv in a sentence', 'a key ak_*** in a sentence'],
  ['http://host:8080/path', 'http://host:8080/path'],
  ['time 12:30 at a@b.c', 'time 12:30 at a@b.c'],
])('%s is shown as %s', (text, shown) => expect(maskSecrets(text)).toBe(shown))
