import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, type Goals } from '../fault.ts'
import { type Load } from '../load.ts'
import { clip } from '../../support/process-rig.ts'

/** Everything that shows the yard. */
const yard = (goalMs: number): Goals => ({
  'yard scenes': goalMs,
  recording: goalMs + 2_000,
  HLS: goalMs + 4_000,
  WebRTC: goalMs,
})

/** The viewer takes H.264 only. */
const { WebRTC: _, ...WITHOUT_WEBRTC } = yard(6_000)

const looped = ['-re', '-stream_loop', '-1', '-i', clip, '-an']

/** It publishes something else from now on, as a camera does whose settings were changed. */
async function replace(load: Load, input: readonly string[] | undefined): Promise<void> {
  load.yard.input = input
  await load.yard.running.kill()
}

const replaced = (what: string, encoder: readonly string[], rest: Partial<Fault> = {}): Fault => ({
  name: `camera replaced by ${what}`,
  goals: yard(6_000),
  ...rest,
  inject: (load) => replace(load, [...looped, ...encoder]),
})

export const sourceFaults: readonly Fault[] = [
  {
    name: 'camera frozen for 20 s',
    goals: yard(6_000),
    lasts: true,
    async inject(load) {
      const { process: publisher } = load.yard.running
      publisher.kill('SIGSTOP')
      await sleep(20_000)
      publisher.kill('SIGCONT')
    },
  },
  { name: 'camera cut', goals: yard(6_000), inject: async (load) => void (await load.yard.running.kill()) },
  replaced('a smaller picture', [
    '-vf',
    'scale=480:360',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '14',
    '-bf',
    '0',
  ]),
  replaced('H.265', ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=0:keyint=14:bframes=0'], {
    goals: WITHOUT_WEBRTC,
    without: ['WebRTC'],
  }),
  {
    name: 'the first camera again',
    goals: WITHOUT_WEBRTC,
    without: ['WebRTC'],
    inject: (load) => replace(load, undefined),
  },
]
