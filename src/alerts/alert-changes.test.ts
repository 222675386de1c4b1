import { afterEach, beforeEach, expect, test } from 'vitest'
import { aTrack, dense, follow, search } from '../../test/builders/alerts.ts'
import { createFakeExchanges, type FakeExchanges } from '../../test/builders/fake-exchanges.ts'
import { aProcess } from '../../test/builders/process.ts'
import { type AlertRig, createAlertRig, P, sourceId } from '../../test/support/alert-rig.ts'
import { createProcessStore } from '../processes/processes.store.ts'

const POLL_EVERY_MS = 5_000

let exchanges: FakeExchanges
/** Where alerts are changed, and where the process is. */
let asked: AlertRig
let running: AlertRig
beforeEach(async () => {
  exchanges = createFakeExchanges()
  const nodeOf = (id: string) => ({ node: { id, epoch: 1 }, exchange: exchanges.of(id) })
  asked = await createAlertRig(nodeOf('a'))
  running = await createAlertRig({ ...nodeOf('b'), first: asked })
  const process = aProcess({ id: P, accountId: asked.account.id, sourceId, state: 'running' })
  const processes = createProcessStore(asked.database.db, { id: 'b', epoch: 1 })
  expect(await processes.insertWithinLimits(asked.account, process)).toBe('inserted')
  await running.state(P, 'running')
})
afterEach(async () => {
  await running.alerts.close()
  await asked.database.remove()
})

const see = (takenAtMs: number, ...ids: number[]) =>
  running.see(
    P,
    takenAtMs,
    ids.map((id) => aTrack(id, [0.5, 0.5])),
  )
const listAt = (rig: AlertRig) => rig.alerts.service.listActive(rig.account)

test('an alert of one node looks at a process of another at once, and ends there when it is deactivated', async () => {
  const { id } = await asked.create(dense)
  await see(0, 1)
  expect(await running.events()).toEqual(['started P'])
  await asked.change(id, { status: 'inactive' })
  await see(1_000, 1)
  expect(await running.events()).toEqual(['started P', 'ended P'])
})

test('of one that is removed nothing more is sent, and what waits of it is dropped by the node that would send it', async () => {
  const { id } = await asked.create(dense)
  await see(0, 1)
  expect(await running.events()).toEqual(['started P'])
  const { channel } = running.sent[0]!
  await asked.alerts.service.remove(asked.account, id)
  await see(1_000)
  expect(await running.events()).toEqual(['started P'])
  expect(running.dropped).toContain(channel)
  expect(await listAt(running)).toEqual([])
})

test('a change waits for the next launch, unless it is forced: then the node of the process launches it anew', async () => {
  const { id } = await asked.create(dense)
  const more = { ...dense.trigger, min_count: 2 }
  await asked.change(id, { trigger: more })
  expect(running.relaunched).toEqual([])
  expect(await listAt(running)).toMatchObject([{ isPending: true }])
  await asked.change(id, { trigger: more }, true)
  expect(running.relaunched).toEqual([P])
  expect(await listAt(running)).toMatchObject([{ isPending: false }])
})

test('what does not reach the node is found by looking, a few seconds later', async () => {
  const [kept, deactivated, removed] = [
    await asked.create(dense),
    await asked.create(search),
    await asked.create(follow),
  ]
  await running.alerts.start()
  await running.settle()
  exchanges.isAway = true
  await asked.clock.advance(1_000)
  await asked.change(deactivated.id, { status: 'inactive' })
  await asked.alerts.service.remove(asked.account, removed.id)
  const { id: added } = await asked.create(dense)
  expect((await listAt(running)).map(({ alert }) => alert.id).sort()).toEqual(
    [kept.id, deactivated.id, removed.id].sort(),
  )
  await running.clock.advance(POLL_EVERY_MS)
  await running.settle()
  expect((await listAt(running)).map(({ alert }) => alert.id).sort()).toEqual([kept.id, added].sort())
})

test('one-off alerts of a process stay where it is, whatever changes elsewhere', async () => {
  const once = await running.createOneOff(P, search)
  await asked.create(dense)
  expect((await listAt(running)).map(({ alert }) => alert.id)).toContain(once.id)
})

test('one-off alerts at another node take room from those that are active everywhere', async () => {
  for (let count = 0; count < 50; count++) await running.createOneOff(P, dense)
  await expect(asked.create(search)).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
  const [oneOff] = await listAt(running)
  await running.change(oneOff!.alert.id, { status: 'inactive' })
  await asked.create(search)
  await expect(asked.create(search)).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
})
