/**
 * Something else fills the disk that the service is on. What needs room is refused with the reason; keys can still be
 * revoked and things removed, and everything goes on when there is room again. The disk is a small one in memory, which
 * only root may mount: for others there is nothing to test with.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChild } from '../support/attacked-service.ts'
import { until } from '../support/until.ts'
import { type Installation, type RunningService } from '../support/installation.ts'
import { createInstallation } from '../support/service.ts'

const MB = 2 ** 20
const installation: Installation = createInstallation()
const isMounted = mount()
const filler = join(installation.dataDir, 'filler')

/** Only root may; in a container without that right it fails, so that nobody believes that this was tested. */
function mount(): boolean {
  if (process.getuid?.() !== 0) return false
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m,mode=700', 'tmpfs', installation.dataDir])
  return true
}

function fillDisk(): void {
  for (let bytes = MB; bytes >= 1; bytes = Math.floor(bytes / 2))
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(bytes))
    } catch {
      // As much as there was room for.
    }
}

const reservedBytes = () =>
  statSync(join(installation.dataDir, 'aerie.db-reserve'), { throwIfNoEntry: false })?.size ?? 0

let service: RunningService
let mallory: string
let trudy: string
beforeAll(async () => {
  if (!isMounted) return
  service = await installation.start()
  mallory = await createChild(service, 'mallory')
  trudy = await createChild(service, 'trudy')
  for (const username of ['bob', 'carol']) await createChild(service, username)
  await until(async () => reservedBytes() === 8 * MB, 15_000)
  fillDisk()
})
afterAll(async () => {
  // Lazily, since the service is still on it.
  if (isMounted) execFileSync('umount', ['--lazy', installation.dataDir])
  await installation.remove()
})

const ready = async () => {
  const answer = await service.call('GET', '/readyz')
  return { status: answer.status, body: (await answer.json()) as { checks: Record<string, string> } }
}
/** What SQLite's log has room for in the blocks that it has goes on a little. */
async function refusal(): Promise<Response> {
  for (let i = 0; i < 500; i++) {
    const answer = await service.call('POST', '/keys', { body: { username: `more-${i}` } })
    if (answer.status !== 201) return answer
  }
  throw new Error('the disk is not full')
}

test.skipIf(!isMounted)('what needs room is refused with the reason, and readiness says it too', async () => {
  const answer = await refusal()
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({ code: 'disk-full' })
  const { status, body } = await ready()
  expect(status).toBe(503)
  expect(body.checks).toMatchObject({ disk: 'failed', database: 'failed' })
  expect(service.stderr()).not.toContain('cannot rollback')
  // Where in the code it was found that there is no room helps nobody.
  expect(service.stderr()).not.toMatch(/"stack":.*(SQLITE_FULL|ENOSPC|disk is full)/)
})

/** The disk is filled after each, so that every one that gets room takes some more of it. */
async function repeat(times: number, path: string, key: string): Promise<void> {
  for (let i = 0; i < times; i++) {
    await service.call('DELETE', path, { key })
    fillDisk()
  }
}

test.skipIf(!isMounted)('who has no key takes nothing of what is reserved', async () => {
  for (const path of ['/nonsense', `/webrtc/live/whep/${randomUUID()}`, '/keys/carol', `/source/${randomUUID()}`])
    await repeat(2, path, '')
  expect(reservedBytes()).toBe(8 * MB)
})

test.skipIf(!isMounted)('keys can be revoked and replaced all the same', async () => {
  expect((await service.call('DELETE', '/keys/mallory')).status).toBe(200)
  expect((await service.call('GET', '/login', { key: mallory })).status).toBe(403)
  fillDisk()
  expect((await service.call('POST', '/keys/carol/rotate')).status).toBe(200)
})

test.skipIf(!isMounted)('so they can by command while the service is stopped, and it starts again', async () => {
  expect(await service.stop()).toBe(0)
  fillDisk()
  expect((await installation.command('keys', 'revoke', 'bob')).stdout).toContain('bob')
  fillDisk()
  service = await installation.start()
  expect((await service.call('GET', '/login')).status).toBe(200)
  fillDisk()
})

test.skipIf(!isMounted)('who has a key leaves what the revocation of keys needs', async () => {
  const before = reservedBytes()
  await repeat(2, '/keys/carol', trudy)
  expect(reservedBytes()).toBe(before)
  await repeat(8, `/source/${randomUUID()}`, trudy)
  expect(reservedBytes()).toBe(4 * MB)
  await repeat(3, `/source/${randomUUID()}/token/${randomUUID()}`, trudy)
  expect(reservedBytes()).toBe(2 * MB)
  expect((await service.call('DELETE', '/keys/trudy')).status).toBe(200)
})

test.skipIf(!isMounted)('with room again everything goes on', async () => {
  rmSync(filler)
  expect((await service.call('POST', '/keys', { body: { username: 'dave' } })).status).toBe(201)
  expect((await ready()).body.checks).toMatchObject({ disk: 'ok' })
})
