import { expect, test } from 'vitest'
import { nearestRoute } from './nearest-route.ts'

const routes = [
  'GET /sources',
  'DELETE /source/{source_id}',
  'POST /source/{source_id}/token',
  'POST /start',
  'GET /process/{process_uuid}',
  'POST /process/{process_uuid}/pause',
  'POST /process/{process_uuid}/{output_uuid}',
  'POST /subscribe/{process_uuid}',
  'GET /subscriptions/{process_uuid}',
].map((line) => ({ method: line.split(' ')[0]!, path: line.split(' ')[1]! }))

test.each([
  ['POST', '/subscribe', 'POST /subscribe/{process_uuid}'],
  ['GET', '/subscription/019a8c6e-0f3b-7c52-9d1e-5b7a4c2f8e10', 'GET /subscriptions/{process_uuid}'],
  ['GET', '/Sourcs', 'GET /sources'],
  ['GET', '/process', 'GET /process/{process_uuid}'],
  ['POST', '/process/019a8c6e-0f3b-7c52-9d1e-5b7a4c2f8e10/pause/now', 'POST /process/{process_uuid}/pause'],
  ['POST', '/stat', 'POST /start'],
  ['POST', '/source/1/tokens', 'POST /source/{source_id}/token'],
  ['GET', '/wp-login.php', undefined],
  ['GET', '/', undefined],
  ['GET', `/${'a'.repeat(5000)}`, undefined],
  ['GET', '/sources'.repeat(3000), undefined],
])('%s %s: %s', (method, path, meant) => expect(nearestRoute(routes, method, path)).toBe(meant))
