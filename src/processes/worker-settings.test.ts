import { expect, test } from 'vitest'
import { type VideoOutput } from '../core/video-output.ts'
import { type PipelineCommand } from '../pipeline/messages.ts'
import { afterCommand, initialSettings } from './worker-settings.ts'

const output = (id: string, lines: number | null = null): VideoOutput => {
  return { id, lines, target: { kind: 'rtmp', url: 'rtmp://host/app' } }
}
const preview = { kind: 'hub', path: 'ann/cam/~preview' } as const

test.each<{ name: string; commands: PipelineCommand[]; change: object }>([
  {
    name: 'outputs that are attached',
    commands: [{ type: 'attach', output: output('b') }],
    change: { outputs: [output('a'), output('b')] },
  },
  {
    name: 'an output once',
    commands: [{ type: 'attach', output: output('a', 360) }],
    change: { outputs: [output('a', 360)] },
  },
  { name: 'no output that is detached', commands: [{ type: 'detach', outputId: 'a' }], change: { outputs: [] } },
  {
    name: 'that scenes are wanted',
    commands: [{ type: 'scene-pictures', isWanted: true }],
    change: { areScenesWanted: true },
  },
  { name: 'that somebody looks', commands: [{ type: 'feed', isWanted: true }], change: { isFeedWanted: true } },
  {
    name: 'that the machine is short of time',
    commands: [{ type: 'crowded', isCrowded: true }],
    change: { isCrowded: true },
  },
  { name: 'the preview', commands: [{ type: 'preview', target: preview }], change: { preview } },
  {
    name: 'the preview no more',
    commands: [
      { type: 'preview', target: preview },
      { type: 'preview', target: null },
    ],
    change: {},
  },
  { name: 'nothing of what is over at once', commands: [{ type: 'retry' }, { type: 'forget-pictures' }], change: {} },
])('the next worker knows $name', ({ commands, change }) => {
  const settings = initialSettings([output('a')])
  expect(commands.reduce(afterCommand, settings)).toEqual({ ...settings, ...change })
})
