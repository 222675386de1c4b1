import { expect, test } from 'vitest'
import { freePort } from '../../../test/builders/free-port.ts'
import { OPERATOR_RULES } from '../../outbound/rules.ts'
import { liveSource } from './live-source.ts'

test.each([
  { name: 'was never there', mayWait: false, failure: 'source-not-live' },
  { name: 'did not come back', mayWait: true, failure: 'source-lost' },
])('a source that $name fails with what it failed of, for the log', async ({ mayWait, failure }) => {
  const url = `rtsp://127.0.0.1:${await freePort()}/ann/cam`
  const parts = liveSource(
    {
      input: { kind: 'hub', path: 'ann/cam', url },
      reconnection: { silenceMs: 1_000, mayWait, giveUpAfterMs: -1 },
      outbound: OPERATOR_RULES,
    },
    { onLost: () => {}, retried: () => Promise.resolve(), signal: new AbortController().signal },
  )
  await expect(parts.next()).rejects.toMatchObject({ failure, cause: expect.any(Error) as Error })
})
