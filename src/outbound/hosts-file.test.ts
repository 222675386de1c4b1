import { expect, test } from 'vitest'
import { findInHosts } from './hosts-file.ts'

const text = [
  '127.0.0.1\tlocalhost',
  '::1 localhost ip6-localhost',
  '# 192.0.2.1 gone.test',
  '192.0.2.2 Camera.test cam # the north gate',
  'nonsense cam',
  '',
].join('\n')

test.each([
  ['localhost', ['127.0.0.1', '::1']],
  ['camera.test', ['192.0.2.2']],
  ['CAM', ['192.0.2.2']],
  ['LOCALHOST.', ['127.0.0.1', '::1']],
  ['gone.test', undefined],
  ['north', undefined],
  ['192.0.2.2', undefined],
])('%s is at %j', (name, wanted) => {
  expect(findInHosts(text, name)?.map(({ address }) => address)).toEqual(wanted)
})
