import { beforeEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { openReportOf } from '../../test/builders/report.ts'
import { type Account } from '../core/account.ts'
import { createLog } from '../observe/log.ts'
import { createReportService, type ReportService } from './reports.service.ts'
import { type ReportStore } from './reports.store.ts'

const { report } = openReportOf()
const owner = { id: report.accountId } as Account
const somebody = { id: 'somebody' } as Account

let calls: string[]
let logLines: string[]
let flush: () => Promise<void>
let service: ReportService
beforeEach(() => {
  calls = []
  logLines = []
  flush = async () => {}
  const store: Pick<ReportStore, 'find' | 'list' | 'hide' | 'removeTracks'> = {
    find: async (accountId, processId) =>
      accountId === report.accountId && processId === report.id ? report : undefined,
    list: async () => ({ items: [report], nextCursor: undefined }),
    hide: async () => calls.push('hide') > 0,
    removeTracks: async () => void calls.push('remove'),
  }
  service = createReportService({
    store: store as ReportStore,
    collector: {
      flush: ({ processId, accountId } = {}) => {
        calls.push(`flush ${processId ?? accountId ?? 'all'}`)
        return flush()
      },
      without: (_processId, action) => action(),
    },
    reader: { read: async function* () {}, cutOff: () => {} },
    files: { removeAllOf: async () => {} },
    processes: {
      stateOf: () => void calls.push('state'),
      onEnd: (_processId, handler) => handler(),
      send: () => {},
      removeVideo: async () => {},
    },
    clock: createFakeClock(),
    log: createLog({ level: 'debug', write: (line) => void logLines.push(line) }),
  })
})

test('nothing is done for somebody whose report it is not', async () => {
  await expect(service.find(somebody, report.id)).rejects.toMatchObject({ code: 'report-not-found' })
  await expect(service.remove(somebody, report.id)).rejects.toMatchObject({ code: 'report-not-found' })
  expect(calls).toEqual([])
})

test('what is stored is told also when what was seen last can’t be written', async () => {
  flush = () => Promise.reject(new Error('no space left'))
  expect(await service.find(owner, report.id)).toEqual(report)
  expect((await service.list(owner, { limit: 5 })).items).toEqual([report])
  expect(logLines).toHaveLength(2)
  expect(logLines.join()).toContain('no space left')
})

test('what is deleted is not written first', async () => {
  await service.remove(owner, report.id)
  expect(calls.filter((call) => call !== 'state')).toEqual(['hide', 'remove'])
})
