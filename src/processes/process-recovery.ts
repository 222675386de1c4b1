import { isDatabaseAway } from '../core/outages.ts'
import { AppError } from '../core/errors.ts'
import { forEachAtOnce } from '../core/for-each-at-once.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { type TakenProcesses } from '../core/taken-processes.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { type Log } from '../observe/log.ts'
import { type Process } from './process.ts'
import { type ProcessEndWriter } from './process-end-writer.ts'
import { type ProcessLauncher } from './process-launcher.ts'
import { type ProcessSource, type ProcessSources } from './process-source.ts'
import { type ProcessStore } from './processes.store.ts'

export interface ProcessRecoveryDeps {
  readonly store: Pick<ProcessStore, 'listTaken' | 'remove'>
  readonly sources: Pick<ProcessSources, 'find'>
  readonly launcher: ProcessLauncher
  readonly ends: ProcessEndWriter
  /** Whether it runs here already: it was taken up before what came after it failed. */
  readonly isHere: (processId: string) => boolean
  /** The video outputs that are attached to a process. */
  readonly outputs: { readonly listVideos: (processId: string) => Promise<VideoOutput[]> }
  readonly log: Log
}

/** The name of a camera may take seconds to be looked up, and the service listens once all are taken up. */
const MAX_AT_ONCE = 16

const COULD_NOT_GO_ON =
  'The service was restarted and could not take the process up again; its log tells why. Start it again.'
const refusedToGoOn = ({ message }: AppError) =>
  `The service was restarted and did not take the process up again: ${maskSecrets(message)}`

/** Takes up again the processes that ran in a service that has ended, or on a node that is gone, if they can go on. */
export interface ProcessRecovery {
  recover(taken: TakenProcesses): Promise<void>
}

export function createProcessRecovery(deps: ProcessRecoveryDeps): ProcessRecovery {
  const { store, sources, launcher, outputs, ends, isHere, log } = deps

  async function findSource({ accountId, sourceId }: Process): Promise<ProcessSource | undefined> {
    try {
      return await sources.find({ id: accountId }, sourceId)
    } catch (error) {
      if (error instanceof AppError && error.code === 'source-not-found') return undefined
      throw error
    }
  }

  async function recoverOne(process: Process): Promise<void> {
    if (process.state === 'stopping') return ends.writeStopped(process, process.stopReason ?? 'requested')
    // The caller of this start is no longer connected; it may have been paused meanwhile.
    if (process.startedAt === null && process.options.begins === 'now') return store.remove(process.id)
    if (process.sourceType === 'file')
      return ends.writeFailed(
        process,
        'service-restart',
        'The service was restarted while the file was processed; start it again.',
      )
    const source = await findSource(process)
    if (!source) return ends.writeFailed(process, 'source-lost', 'The source is no longer registered.')
    const attached = await outputs.listVideos(process.id)
    launcher.launch(process, await launcher.prepare(process.accountId, source), attached)
  }

  async function onFailure(process: Process, error: unknown): Promise<void> {
    // Nothing is known of it, nor of the others: this start of the service is over, and the next takes all of them up.
    if (isDatabaseAway(error)) throw error
    const about = { process_uuid: process.id }
    // A refusal says what its owner can do; a stack trace would add nothing.
    if (error instanceof AppError) log.warn({ ...about, reason: error.message }, 'a process may not be taken up again')
    else log.error({ ...about, err: error }, 'a process could not be taken up again')
    const sentence = error instanceof AppError ? refusedToGoOn(error) : COULD_NOT_GO_ON
    await ends
      .writeFailed(process, 'service-restart', sentence)
      .catch((reason: unknown) => log.error({ ...about, err: reason }, 'the state of a process could not be written'))
  }

  return {
    async recover({ ids }) {
      const left = (await store.listTaken(ids)).filter(({ id }) => !isHere(id))
      await forEachAtOnce(left, MAX_AT_ONCE, (process) =>
        recoverOne(process).catch((error: unknown) => onFailure(process, error)),
      )
    },
  }
}
