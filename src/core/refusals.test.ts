import { expect, test } from 'vitest'
import { type PathHolder, pathInUse } from './refusals.ts'

const account = { id: 'anna' }

test.each<{ holder: PathHolder | undefined; by: string }>([
  { holder: { kind: 'live-stream' }, by: 'a live stream' },
  { holder: { kind: 'preview' }, by: 'the preview of another stream' },
  { holder: { kind: 'source', accountId: 'anna', alias: 'Gate' }, by: 'the source Gate' },
  { holder: { kind: 'output', accountId: 'anna', alias: 'Wall' }, by: 'the output Wall' },
  { holder: { kind: 'source', accountId: 'ben', alias: 'Secret' }, by: 'a stream, a source or an output' },
  { holder: { kind: 'output', accountId: 'ben', alias: 'Secret' }, by: 'a stream, a source or an output' },
  { holder: undefined, by: 'a stream, a source or an output' },
])('a path that is taken by $by', ({ holder, by }) => {
  expect(pathInUse(account, 'anna/cam', holder)).toMatchObject({
    code: 'path-in-use',
    status: 409,
    message: `anna/cam is taken by ${by}; choose another path.`,
  })
})
