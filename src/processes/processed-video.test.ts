import { describe, expect, test } from 'vitest'
import { aProcess } from '../../test/builders/process.ts'
import { type PipelineCommand } from '../pipeline/messages.ts'
import { type LiveProcess } from './live-process.ts'
import { createProcessRecordings } from './processed-video.ts'

describe('recordings of processes', () => {
  const plain = aProcess()
  const recorded = aProcess({ options: { ...plain.options, isRecorded: true } })
  const output = { id: 'recording', lines: null, target: { kind: 'recording', folder: `videos/${recorded.id}` } }

  function setUp() {
    const sent: [processId: string, command: PipelineCommand][] = []
    const live = [plain, recorded].map((process) => ({ process }) as LiveProcess)
    const recordings = createProcessRecordings(
      {
        findLive: (processId) => live.find(({ process }) => process.id === processId),
        listLiveProcesses: () => live,
        send: (...message) => void sent.push(message),
      },
      (processId) => `videos/${processId}`,
    )
    return { recordings, sent }
  }

  test('only processes whose video is kept have one', () => {
    const { recordings } = setUp()
    expect(recordings.outputsOf(plain)).toEqual([])
    expect(recordings.outputsOf(recorded)).toEqual([output])
    expect(recordings.list()).toEqual([{ processId: recorded.id, accountId: recorded.accountId }])
  })

  test('it is stopped and taken up again as an output is', () => {
    const { recordings, sent } = setUp()
    recordings.stop(recorded.id)
    recordings.resume(recorded.id)
    recordings.resume(plain.id)
    recordings.resume('one that has ended')
    expect(sent).toEqual([
      [recorded.id, { type: 'detach', outputId: 'recording' }],
      [recorded.id, { type: 'attach', output }],
    ])
  })
})
