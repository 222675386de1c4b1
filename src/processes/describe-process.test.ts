import { expect, test } from 'vitest'
import { aHealth, aProcess } from '../../test/builders/process.ts'
import { createDescribeProcess, type DescribeProcessDeps } from './describe-process.ts'

const wellAndSilent: Omit<DescribeProcessDeps, 'outputs'> = {
  statuses: { find: () => undefined },
  telemetry: { statusOf: () => null },
  healthOf: () => aHealth(),
  aliasOf: () => 'roof',
}

function createRig(attached: readonly { readonly id: string; readonly processId: string }[]) {
  const queries: (readonly string[])[] = []
  const describe = createDescribeProcess({
    outputs: {
      async listAttached(processIds) {
        queries.push(processIds)
        const own = attached.filter(({ processId }) => processIds.includes(processId))
        return own.map((output) => ({ ...output, alias: output.id, type: 'rtsp', settings: null }))
      },
    },
    ...wellAndSilent,
  })
  return { describe, queries }
}

test('the outputs of a page of processes are read in one query, and each process has its own', async () => {
  const [one, two, none] = [1, 2, 3].map(() => aProcess({ state: 'running' }))
  const ended = aProcess({ state: 'stopped' })
  const { describe, queries } = createRig([
    { id: 'a', processId: two!.id },
    { id: 'b', processId: one!.id },
    { id: 'c', processId: two!.id },
    { id: 'd', processId: ended.id },
  ])
  const page = await Promise.all([one!, two!, none!, ended].map(describe))
  expect(page.map(({ outputs }) => outputs.map(({ output_uuid: id }) => id))).toEqual([['b'], ['a', 'c'], [], []])
  expect(queries).toEqual([[one!.id, two!.id, none!.id]])

  await describe(one!)
  expect(queries).toHaveLength(2)
})

test('a query that fails fails for those who waited for it, and the next one is tried', async () => {
  let isAway = true
  const describe = createDescribeProcess({
    outputs: {
      async listAttached() {
        if (isAway) throw new Error('The database is away.')
        return []
      },
    },
    ...wellAndSilent,
  })
  const process = aProcess({ state: 'running' })
  await expect(Promise.all([process, process].map(describe))).rejects.toThrow('away')
  isAway = false
  expect((await describe(process)).outputs).toEqual([])
})
