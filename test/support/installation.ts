import { type ChildProcess } from 'node:child_process'

/** The real service, as a user starts it, in a folder of its own, on free ports. */
export interface Installation {
  readonly dataDir: string
  /** Of each node, where it is several. */
  readonly dataDirs: readonly string[]
  readonly masterKey: string
  start(settings?: Record<string, string>): Promise<RunningService>
  /** Another `aerie` command on the same folder. */
  command(...args: string[]): Promise<{ stdout: string; stderr: string }>
  /** The same with settings of its own. */
  commandWith(settings: Record<string, string>, ...args: string[]): Promise<{ stdout: string; stderr: string }>
  /** Stops what still runs, and removes everything. */
  remove(): Promise<void>
}

export interface RunningService {
  readonly process: ChildProcess
  readonly url: string
  readonly ready: Record<string, unknown>
  readonly stderr: () => string
  /** The pids of its children whose command line has these words; all of them without any. */
  children(words?: string): number[]
  call(method: string, path: string, options?: { key?: string; body?: unknown }): Promise<Response>
  /** Sends the signal and resolves with the exit code when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}
