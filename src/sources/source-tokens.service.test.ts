import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { anAccount } from '../../test/builders/plain-account.ts'
import { aSource } from '../../test/builders/source.ts'
import { createSourceTokenService } from './source-tokens.service.ts'
import { type SourceToken } from './source-tokens.store.ts'

const account = anAccount({ username: 'ann' })

interface Rig {
  readonly mediaPath?: string | null
  readonly isPulled?: boolean
  readonly hasRoom?: boolean
}

function createRig({ mediaPath = 'ann/cam', isPulled = false, hasRoom = true }: Rig = {}) {
  const records = new Map<string, SourceToken & { sha256: string }>()
  const expelled: string[] = []
  const clock = createFakeClock(1_000)
  const service = createSourceTokenService({
    sources: { find: async (_account, id) => aSource({ id, mediaPath, isPulled }) },
    tokens: {
      async insertWithinLimit(_accountId, record, { sha256 }) {
        if (hasRoom) records.set(record.id, { ...record, sha256 })
        return hasRoom
      },
      list: async () => [...records.values()],
      remove: async (_sourceId, id) => records.delete(id),
      async removeExpired(now) {
        const expired = [...records.values()].filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now)
        for (const { id } of expired) records.delete(id)
        return expired.map(({ id }) => id)
      },
    },
    streams: {
      addresses: {
        urlsWithToken: (path: string, token: string, host: string) => ({
          rtsp: `rtsp://${host}/${path}?token=${token}`,
          rtmp: `rtmp://${host}/${path}?token=${token}`,
        }),
      },
      expel: (principal) => void expelled.push(principal),
    },
    clock,
  })
  return { service, records, expelled, clock }
}

test('a token is shown once with its addresses, and kept as a hash', async () => {
  const { service, records } = createRig()
  const issued = await service.issue(account, 's', { action: 'read', expires_in_seconds: 5 }, 'host')
  expect(issued.token).toMatch(/^tk_[\w-]{32}$/)
  expect(issued.urls.rtsp).toBe(`rtsp://host/ann/cam?token=${issued.token}`)
  expect(issued.record).toMatchObject({ sourceId: 's', action: 'read', createdAt: 1_000, expiresAt: 6_000 })
  const sha256 = createHash('sha256').update(issued.token).digest('hex')
  expect([...records.values()]).toEqual([{ ...issued.record, sha256 }])
})

test.each([
  ['a source elsewhere', { mediaPath: null }, 'source-not-published-here'],
  ['a source with as many as may be', { hasRoom: false }, 'token-limit-reached'],
])('%s gets none', async (_name, rig, code) => {
  const { service } = createRig(rig)
  await expect(service.issue(account, 's', { action: 'read' }, 'host')).rejects.toMatchObject({ code })
})

test('to the path of a camera that we call nobody gets a token to publish, and readers do', async () => {
  const { service, records } = createRig({ isPulled: true })
  await expect(service.issue(account, 's', { action: 'publish' }, 'host')).rejects.toMatchObject({
    code: 'camera-path-reserved',
    status: 409,
    message: expect.stringContaining('ann/cam'),
  })
  expect(records.size).toBe(0)
  expect((await service.issue(account, 's', { action: 'read' }, 'host')).mediaPath).toBe('ann/cam')
})

test('the clients of a token are disconnected when it is revoked, and when it expires', async () => {
  const { service, expelled, clock } = createRig()
  const { record: revoked } = await service.issue(account, 's', { action: 'read' }, 'host')
  const { record: short } = await service.issue(account, 's', { action: 'read', expires_in_seconds: 5 }, 'host')
  await service.revoke(account, 's', revoked.id)
  await expect(service.revoke(account, 's', revoked.id)).rejects.toMatchObject({ code: 'token-not-found' })
  await service.endExpired()
  expect(expelled).toEqual([`token:${revoked.id}`])
  expect(await service.list(account, 's')).toHaveLength(1)
  await clock.advance(5_000)
  await service.endExpired()
  expect(expelled).toEqual([`token:${revoked.id}`, `token:${short.id}`])
})
