import { expect, test } from 'vitest'
import { anAlert } from '../../test/builders/alerts.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Alert } from './alert.ts'
import { toActiveRecord } from './alerts.schema.ts'
import { createOneOffs } from './one-offs.ts'
import { oneOffsNaming } from './one-offs-naming.ts'

const [processId, contactId] = [orderedUuid(), orderedUuid()]
const to = (id: string) => [{ type: 'contact' as const, config: { contact_uuid: id } }]

function anAlertTo(id: string, alias: string, change: Partial<Alert> = {}): Alert {
  const alert = anAlert({ alias, processId, ...change })
  return { ...alert, setup: { ...alert.setup, output: to(id) } }
}

const activeThere = (alert: Alert) =>
  toActiveRecord({ alert, process: { processId, sourceId: orderedUuid() }, isPending: false, problem: null })

test('one-off alerts that name a contact are found here, active or not, and at other nodes', async () => {
  const oneOffs = createOneOffs()
  oneOffs.put(anAlertTo(contactId, 'here'))
  oneOffs.put(anAlertTo(contactId, 'switched off', { status: 'inactive' }))
  oneOffs.put(anAlertTo(orderedUuid(), 'to somebody else'))
  oneOffs.put(anAlertTo(contactId, 'of another key', { accountId: 'another' }))
  const there = [
    anAlertTo(contactId, 'there'),
    anAlertTo(orderedUuid(), 'there, to somebody else'),
    // The database has it, which asks by itself.
    anAlertTo(contactId, 'registered', { processId: null }),
  ]
  const elsewhere = { listActive: async () => there.map(activeThere) }
  const { accountId } = anAlert()
  expect(await oneOffsNaming(accountId, contactId, { oneOffs, elsewhere })).toEqual(['here', 'switched off', 'there'])
})
