import { type z } from 'zod'
import { type Account } from '../core/account.ts'
import { mergePages } from '../core/merge-pages.ts'
import { type Page } from '../core/page.ts'
import { type SourceRight, type SourceRights } from '../core/source-rights.ts'
import { type Process } from './process.ts'
import { type ProcessInfo } from './processes.schema.ts'
import { type ProcessService } from './processes.service.ts'
import { type ProcessPage } from './processes.store.ts'
import { NOT_FOR_OTHERS } from './status-message.ts'

export interface SeenProcessesDeps {
  readonly processes: Pick<ProcessService, 'find' | 'list' | 'listOn'>
  /** The account whose processes are requested: the caller's own, or a child of it. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
  /** What the caller may do with sources of others, and so with the processes on them. */
  readonly rights: Pick<SourceRights, 'ownerForProcess' | 'listGiven'>
}

/** As whose processes a caller deals with one. */
export interface AskedOwner {
  readonly owner: Account
  /** It is the owner's, and the caller was given a right on its source. */
  readonly isOfOthers: boolean
}

export type SeenProcesses = ReturnType<typeof createSeenProcesses>

/** Which processes a caller sees: its own, those on sources that it has rights on, and a master those of a child that it names. */
export function createSeenProcesses({ processes, owners, rights }: SeenProcessesDeps) {
  async function ownerOf(
    caller: Account,
    processId: string,
    right: SourceRight,
    username?: string,
  ): Promise<AskedOwner> {
    const owner = await rights.ownerForProcess(caller, processId, right, username)
    return { owner, isOfOthers: username === undefined && owner.id !== caller.id }
  }

  return {
    ownerOf,

    async find(caller: Account, processId: string, username?: string) {
      const { owner, isOfOthers } = await ownerOf(caller, processId, 'events', username)
      return { process: await processes.find(owner, processId), isOfOthers }
    },

    /** One's own and those of others in one list. */
    async list(caller: Account, page: ProcessPage, username: string | undefined): Promise<Page<Process>> {
      if (username !== undefined) return processes.list(await owners.resolve(caller, username), page)
      const given = await rights.listGiven(caller.id)
      const readable = given.filter((one) => one.rights.includes('events')).map(({ sourceId }) => sourceId)
      const pages = [await processes.list(caller, page), ...(await processes.listOn(readable, page))]
      return mergePages(pages, page.limit, { cursorOf: ({ id }) => id, compare: (id, other) => (id < other ? 1 : -1) })
    },
  }
}

/** As who was given a right on its source gets it: how it is connected is its owner's business. */
export function forOthers(info: z.infer<typeof ProcessInfo>): z.infer<typeof ProcessInfo> {
  const { error, problem, telemetry } = info
  return {
    ...info,
    source_url: null,
    outputs: [],
    error: error && NOT_FOR_OTHERS,
    problem: problem && NOT_FOR_OTHERS,
    telemetry: telemetry && { ...telemetry, error: telemetry.error && NOT_FOR_OTHERS },
  }
}
