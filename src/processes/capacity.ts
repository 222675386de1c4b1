import { type PartUsage, type UsageMeter } from '../supervise/usage-meter.ts'
import { type Clock } from '../core/clock.ts'
import {
  countFreeCores,
  countRoom,
  countSparedCores,
  type MachineLoad,
  type Shortage,
  shortageOf,
  WANTED_FPS,
  type WorkerLoad,
} from './machine-room.ts'
import { type Process } from './process.ts'

/** What of the machine is left for more processes. */
export interface Capacity {
  /** How many more streams fit with this model; null while nobody knows how fast it is here. */
  roomFor(model: string): number | null
  readonly cores: number
  /** Those that are left when none is looked at more often than is wanted. */
  readonly freeCores: number
  /** Those that would be in use in addition, did workers not leave undone what nobody misses. */
  readonly sparedCores: number
  /** What there is too little of now; null for nothing. */
  readonly shortage: Shortage | null
  /** A sentence for whoever starts one more than fit; undefined while there is room, or nothing seems to be short. */
  objectionTo(model: string): string | undefined
}

export interface CapacityDeps {
  readonly usage: Pick<UsageMeter, 'machine' | 'listParts'>
  readonly listProcesses: () => readonly Process[]
  /** Of one picture, on this machine. */
  readonly inferenceMsOf: (model: string) => number | undefined
  readonly clock: Pick<Clock, 'now'>
}

/** A process is seen at work after so long. */
const STARTING_MS = 10_000

export function createCapacity({ usage, listProcesses, inferenceMsOf, clock }: CapacityDeps): Capacity {
  const machineLoad = (): MachineLoad => ({ ...usage.machine, usedCores: usage.machine.usedCores ?? 0 })
  const isStarting = ({ createdAt, state }: Process) =>
    state === 'starting' || (state !== 'waiting' && isNew(createdAt))
  /** One that was created later than now is not new: the clock was set back since. */
  const isNew = (createdAt: number) => createdAt <= clock.now() && clock.now() - createdAt < STARTING_MS

  /** Of those that are seen at work. */
  function listLoads(): WorkerLoad[] {
    const parts = new Map(usage.listParts().map((part) => [part.subject, part]))
    return listProcesses()
      .filter((process) => !isStarting(process))
      .flatMap((process) => workerLoads(process, parts))
  }

  function roomFor(model: string): number | null {
    const inferenceMs = inferenceMsOf(model)
    if (inferenceMs === undefined) return null
    return countRoom(machineLoad(), listLoads(), listProcesses().filter(isStarting).length, inferenceMs)
  }

  return {
    roomFor,
    get cores() {
      return usage.machine.cores
    },
    get freeCores() {
      return countFreeCores(machineLoad(), listLoads())
    },
    get sparedCores() {
      return countSparedCores(listLoads())
    },
    get shortage() {
      return shortageOf(machineLoad())
    },
    objectionTo(model) {
      const room = roomFor(model)
      const hasRoom = room === null ? shortageOf(machineLoad()) === null : room > 0
      if (hasRoom) return undefined
      return `This machine is full: with one more stream on ${model} not all could be looked at ${WANTED_FPS} times a second. A master key sees by GET /system what takes how much.`
    },
  }
}

/** Decoding is done by one thread. */
const MAX_SPARED_CORES = 1

/** None while it has no worker. */
function workerLoads({ id, stats }: Process, parts: ReadonlyMap<string | undefined, PartUsage>): WorkerLoad[] {
  const part = parts.get(id)
  if (!part || part.usedCores === null || !stats) return []
  const { usedCores, memoryBytes } = part
  const { modelLoad = 0, sparedLoad = 0, processedFps } = stats
  // The worker measures time, which is longer than what it computes where others have the cores.
  const modelCores = Math.min(modelLoad, usedCores)
  return [{ usedCores, memoryBytes, modelCores, processedFps, sparedCores: Math.min(sparedLoad, MAX_SPARED_CORES) }]
}
