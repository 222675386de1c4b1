import { type ProcessInfo, type SourceRecord } from '@aerie/client'
import { expect, test } from 'vitest'
import { mayStartNow, stateOf } from './source-state.ts'

const file = { type: 'file', status: 'unknown', connection: null } as SourceRecord
const stream = (status: SourceRecord['status'], state: NonNullable<SourceRecord['connection']>['state']) =>
  ({ type: 'stream', status, connection: { state } }) as SourceRecord
const process = (state: ProcessInfo['state']) => ({ state }) as ProcessInfo

test.each([
  ['a file', file, undefined, 'file'],
  ['a file that is watched', { ...file, status: 'processing' as const }, process('running'), 'processing'],
  ['a stream', stream('streaming', 'connected'), undefined, 'streaming'],
  ['a camera that nobody needs', stream('unknown', 'idle'), undefined, 'idle'],
  ['a camera that is recorded', stream('unknown', 'connected'), undefined, 'connected'],
  ['a watched camera that is lost', stream('processing', 'lost'), process('reconnecting'), 'lost'],
  ['a process that waits', stream('processing', 'offline'), process('waiting'), 'waiting'],
])('%s', (_name, source, watching, state) => expect(stateOf(source, watching)).toBe(state))

test.each([
  [file, true],
  [stream('streaming', 'connected'), true],
  [stream('offline', 'offline'), false],
  [stream('unknown', 'idle'), true],
  [stream('unknown', 'connecting'), true],
  [stream('unknown', 'lost'), false],
])('whether a start is of use now: %o', (source, may) => expect(mayStartNow(source)).toBe(may))
