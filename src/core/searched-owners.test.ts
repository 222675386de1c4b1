import { expect, test } from 'vitest'
import { anAccount } from '../../test/builders/plain-account.ts'
import { createSearchedOwners } from './searched-owners.ts'
import { type CountingSource, type SourceRight } from './source-rights.ts'

const [guard, ada] = [anAccount({ id: 'guard-id', username: 'guard' }), anAccount({ id: 'ada-id', username: 'ada' })]

const aGiven = (sourceId: string, ...rights: SourceRight[]): CountingSource => ({
  sourceId,
  ownerId: ada.id,
  owner: ada,
  rights,
})

function search(given: readonly CountingSource[]) {
  const find = (sourceId: string) => given.find((one) => one.sourceId === sourceId)
  return createSearchedOwners({
    owners: { resolve: async (caller, username) => (username === undefined ? caller : ada) },
    rights: {
      ownerFor: async (caller, sourceId) => find(sourceId)?.owner ?? caller,
      ownerForProcess: async (caller, processId) => (processId === 'on gate' ? ada : caller),
      findGiven: async (_caller, sourceId) => find(sourceId),
      listGiven: async () => given,
    },
  })
}

const gate = aGiven('gate', 'watch', 'events')

test.each([
  {
    name: 'without anything named, one’s own and each given source alone',
    wanted: {},
    found: [
      { owner: guard, sourceId: undefined, rights: null },
      { owner: ada, sourceId: 'gate', rights: ['watch', 'events'] },
    ],
  },
  {
    name: 'of several sources each is searched at its owner',
    wanted: { sourceIds: ['gate', 'own'] },
    found: [
      { owner: ada, sourceId: 'gate', rights: ['watch', 'events'] },
      { owner: guard, sourceId: 'own', rights: null },
    ],
  },
  {
    name: 'several of a child’s are all the child’s',
    wanted: { username: 'ada', sourceIds: ['gate', 'yard'] },
    found: [
      { owner: ada, sourceId: 'gate', rights: null },
      { owner: ada, sourceId: 'yard', rights: null },
    ],
  },
  {
    name: 'a given source is its owner’s',
    wanted: { sourceId: 'gate' },
    found: [{ owner: ada, sourceId: 'gate', rights: ['watch', 'events'] }],
  },
  {
    name: 'another is one’s own',
    wanted: { sourceId: 'own' },
    found: [{ owner: guard, sourceId: 'own', rights: null }],
  },
  {
    name: 'a process on a given source is its owner’s',
    wanted: { processId: 'on gate' },
    found: [{ owner: ada, sourceId: undefined, rights: ['events'] }],
  },
  {
    name: 'by a child’s name, all that is its',
    wanted: { username: 'ada', sourceId: 'gate' },
    found: [{ owner: ada, sourceId: 'gate', rights: null }],
  },
])('$name', async ({ wanted, found }) => {
  const all = await search([gate, aGiven('yard', 'watch')])(guard, 'events', wanted)
  expect(all).toEqual(found.map((one) => expect.objectContaining(one) as unknown))
  expect(all).toHaveLength(found.length)
})

test('of more given sources than are searched at once one must be named', async () => {
  const many = Array.from({ length: 51 }, (_, at) => aGiven(`s${at}`, 'events'))
  await expect(search(many)(guard, 'events', {})).rejects.toMatchObject({
    code: 'input-invalid',
    errors: [{ path: 'query.source_uuid', message: expect.stringContaining('51 sources') as string }],
  })
  expect(await search(many)(guard, 'events', { sourceId: 's7' })).toHaveLength(1)
})
