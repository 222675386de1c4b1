import { type z } from 'zod'
import { isLive } from '../core/process-facts.ts'
import { type TelemetryStatus } from '../core/telemetry-status.ts'
import { type Process } from './process.ts'
import { type HealthOf } from './process-health.ts'
import { type OutputWithStatus, type ProcessInfo, toProcessInfo } from './processes.schema.ts'

/** A process as the API shows it, with its outputs and its telemetry. */
export type DescribeProcess = (process: Process) => Promise<z.infer<typeof ProcessInfo>>

type AttachedOutput = OutputWithStatus['output'] & { readonly processId: string | null }
type AttachedByProcess = ReadonlyMap<string | null, readonly AttachedOutput[]>

export interface DescribeProcessDeps {
  readonly outputs: {
    /** Attached to any of these processes. */
    listAttached(processIds: readonly string[]): Promise<AttachedOutput[]>
  }
  readonly statuses: {
    /** Undefined for the websockets, and before the pipeline has reported it. */
    find(processId: string, outputId: string): OutputWithStatus['status']
  }
  readonly telemetry: { statusOf(processId: string): TelemetryStatus | null }
  readonly healthOf: HealthOf
  /** Undefined of a source that is no more. */
  readonly aliasOf: (sourceId: string) => string | undefined
}

export function createDescribeProcess(deps: DescribeProcessDeps): DescribeProcess {
  const { outputs, statuses, telemetry, healthOf, aliasOf } = deps
  const attachedTo = createAttachedReader(outputs)
  return async (process) => {
    const attached = isLive(process.state) ? await attachedTo(process.id) : []
    const withStatus = attached.map((output) => ({ output, status: statuses.find(process.id, output.id) }))
    const more = { health: healthOf(process), sourceAlias: aliasOf(process.sourceId) ?? null }
    return toProcessInfo(process, withStatus, telemetry.statusOf(process.id), more)
  }
}

/** Reads the outputs of all that are asked for at once, as a page of processes is, in one query: pages are read every few seconds. */
function createAttachedReader(outputs: DescribeProcessDeps['outputs']) {
  let batch: { readonly processIds: string[]; readonly attached: Promise<AttachedByProcess> } | undefined

  function openBatch() {
    const processIds: string[] = []
    const attached = Promise.resolve().then(async () => {
      batch = undefined
      return byProcess(await outputs.listAttached(processIds))
    })
    return { processIds, attached }
  }

  return async (processId: string): Promise<readonly AttachedOutput[]> => {
    batch ??= openBatch()
    batch.processIds.push(processId)
    return (await batch.attached).get(processId) ?? []
  }
}

function byProcess(outputs: readonly AttachedOutput[]): AttachedByProcess {
  const grouped = new Map<string | null, AttachedOutput[]>()
  for (const output of outputs) grouped.set(output.processId, [...(grouped.get(output.processId) ?? []), output])
  return grouped
}
