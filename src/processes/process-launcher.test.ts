import { beforeEach, describe, expect, test } from 'vitest'
import { aProcess, cameraSource as source } from '../../test/builders/process.ts'
import { type TelemetrySample } from '../core/telemetry.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { type LiveProcess } from './live-process.ts'
import { createProcessLauncher, type ProcessLauncher } from './process-launcher.ts'

const recording: VideoOutput = { id: 'recording', lines: null, target: { kind: 'recording', folder: 'kept' } }
const output: VideoOutput = { id: 'o', lines: null, target: { kind: 'rtmp', url: 'rtmp://host/app' } }

let launcher: ProcessLauncher
let file: string | undefined
let path: string | null
let calls: string[]
let onSample: (sample: TelemetrySample) => void
let end: () => void
beforeEach(() => {
  file = 'video.mp4'
  path = 'ann/cam'
  calls = []
  launcher = createProcessLauncher({
    sources: { fileOf: async () => file, pathToRead: async () => path },
    streams: {
      pulledPaths: {
        hold(held) {
          calls.push(`hold ${held}`)
          return () => void calls.push('let go')
        },
      },
    },
    supervisor: {
      launch(_process, _spec, outputs) {
        calls.push(`launch with ${outputs.map(({ id }) => id).join()}`)
        return { gone: new Promise<void>((resolve) => (end = resolve)) } as LiveProcess
      },
      send: (_processId, { type }) => void calls.push(`send ${type}`),
    },
    telemetry: {
      begin(subject) {
        calls.push('telemetry begins')
        onSample = subject.onSample
        return null
      },
      end: async () => void calls.push('telemetry ends'),
    },
    outboundOf: async () => OPERATOR_RULES,
    recordingsOf: () => [recording],
  })
})

describe('the input', () => {
  test('of a stream is its path; of one that is gone there is none', async () => {
    expect(await launcher.prepare('a', source)).toMatchObject({ input: { kind: 'hub', path: 'ann/cam' } })
    path = null
    await expect(launcher.prepare('a', source)).rejects.toMatchObject({ code: 'source-not-found' })
  })

  test('of a file is where it is stored; without it nothing can start', async () => {
    const upload = { ...source, type: 'file' } as const
    expect(await launcher.prepare('a', upload)).toMatchObject({ input: { kind: 'file', path: 'video.mp4' } })
    file = undefined
    await expect(launcher.prepare('a', upload)).rejects.toMatchObject({ code: 'source-file-missing' })
  })
})

test('telemetry begins before the worker, goes to it, and ends with the process', async () => {
  launcher.launch(aProcess(), await launcher.prepare('a', source), [output])
  onSample({} as TelemetrySample)
  end()
  await Promise.resolve()
  expect(calls).toEqual(['telemetry begins', 'launch with recording,o', 'send telemetry', 'telemetry ends'])
})

test('the camera of a process that waits for its video is called for as long as the process lives', async () => {
  const options = { ...aProcess().options, begins: 'each-time-live' } as const
  launcher.launch(aProcess({ options }), await launcher.prepare('a', source))
  expect(calls).toContain('hold ann/cam')
  expect(calls).not.toContain('let go')
  end()
  await Promise.resolve()
  expect(calls).toContain('let go')
})
