/** What the machine has, and what of it is in use. */
export interface MachineLoad {
  readonly cores: number
  readonly usedCores: number
  readonly memoryBytes: number
  readonly availableBytes: number
}

/** What one process takes. */
export interface WorkerLoad {
  readonly usedCores: number
  readonly memoryBytes: number
  /** Of these cores, those of its model. */
  readonly modelCores: number
  readonly processedFps: number
  /** What it would take in addition, were its scene not at rest. */
  readonly sparedCores: number
}

/** A stream has room where each is looked at this often. */
export const WANTED_FPS = 5

/** The rest is for what comes in bursts. */
const USABLE_SHARE = 0.95
/** Of memory, what the system wants for itself. */
const RESERVED_SHARE = 0.05
/** Before anything has run: what a stream takes beside its model. */
const DEFAULT_STREAM: Pick<WorkerLoad, 'usedCores' | 'memoryBytes'> = { usedCores: 0.1, memoryBytes: 300 * 2 ** 20 }

/**
 * How many more streams fit, of a model that takes so long for a picture. Those that run now would then be looked at less
 * often, but not less than all should be. `starting` are there already and not yet seen at work.
 */
export function countRoom(
  machine: MachineLoad,
  workers: readonly WorkerLoad[],
  starting: number,
  inferenceMs: number,
): number {
  const besideModel = mean(
    workers.map(({ usedCores, modelCores, sparedCores }) => Math.max(0, usedCores - modelCores) + sparedCores),
  )
  const streamCores = (besideModel ?? DEFAULT_STREAM.usedCores) + (WANTED_FPS * inferenceMs) / 1000
  const freeCores = countFreeCores(machine, workers) - countSparedCores(workers)
  const streamBytes = mean(workers.map(({ memoryBytes }) => memoryBytes)) ?? DEFAULT_STREAM.memoryBytes
  const freeBytes = machine.availableBytes - RESERVED_SHARE * machine.memoryBytes
  const fitting = Math.min(Math.floor(freeCores / streamCores), Math.floor(freeBytes / streamBytes))
  return Math.max(0, fitting - starting)
}

/** What is left when none is looked at more often than is wanted; less than nothing when there is too little even so. */
export function countFreeCores(
  machine: Pick<MachineLoad, 'cores' | 'usedCores'>,
  workers: readonly WorkerLoad[],
): number {
  return USABLE_SHARE * machine.cores - machine.usedCores + sum(workers.map(excessCores))
}

/** What would be in use in addition, were no scene at rest. */
export function countSparedCores(workers: readonly WorkerLoad[]): number {
  return sum(workers.map(({ sparedCores }) => sparedCores))
}

/** What a process uses to be looked at more often than is wanted. */
function excessCores({ modelCores, processedFps }: WorkerLoad): number {
  return processedFps > WANTED_FPS ? modelCores * (1 - WANTED_FPS / processedFps) : 0
}

export type Shortage = 'cpu' | 'memory'

/** What there is too little of now; null for nothing. */
export function shortageOf({ cores, usedCores, memoryBytes, availableBytes }: MachineLoad): Shortage | null {
  if (availableBytes < 2 * RESERVED_SHARE * memoryBytes) return 'memory'
  return usedCores > USABLE_SHARE * cores ? 'cpu' : null
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : sum(values) / values.length
}
