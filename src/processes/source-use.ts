import { newestSeen } from '../core/last-seen.ts'
import { type Process } from './process.ts'
import { type ProcessHealth } from './process-health.ts'
import { type ProcessSources } from './process-source.ts'

/** What live processes have to say of the sources that they use. */
export function createSourceUse(
  listProcesses: () => readonly Process[],
  healthOf: (process: Process) => Pick<ProcessHealth, 'lastTelemetry' | 'telemetryError' | 'hasOldTelemetry'>,
  setSourceUrl: (processId: string, sourceUrl: string) => void,
): Parameters<ProcessSources['addUser']>[0] {
  const processesOf = (sourceId: string) => listProcesses().filter((process) => process.sourceId === sourceId)
  return {
    processesOf: (sourceId) => processesOf(sourceId).map(({ id }) => id),
    withOldTelemetry: (sourceId) =>
      processesOf(sourceId)
        .filter((process) => healthOf(process).hasOldTelemetry)
        .map(({ id }) => id),
    isVideoNeeded: (sourceId) => processesOf(sourceId).some(({ state }) => state !== 'waiting'),
    telemetryErrorOf(sourceId) {
      // What is wrong with telemetry that it had before says nothing of what it has now.
      const [error = null] = processesOf(sourceId)
        .map(healthOf)
        .flatMap(({ telemetryError, hasOldTelemetry }) => (hasOldTelemetry ? [] : (telemetryError ?? [])))
      return error
    },
    onAddressChange: (sourceId, inputUrl) => processesOf(sourceId).forEach(({ id }) => setSourceUrl(id, inputUrl)),
    lastTelemetryOf: (sourceId) => newestSeen(processesOf(sourceId).map((process) => healthOf(process).lastTelemetry)),
  }
}
