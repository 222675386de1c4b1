import { expect, test } from 'vitest'
import { problemOf, type ProblemFacts } from './process-problem.ts'

const well: ProblemFacts = {
  process: { state: 'running', error: null, sourceType: 'stream' },
  streamProblem: null,
  lastFrameAgeMs: 40,
  lossShare: 0.01,
  hasOldTelemetry: false,
  telemetry: { error: null, isSilent: false },
  outputError: null,
}
const silent = { error: 'No message for 33 s.', isSilent: true }
const lost = { state: 'reconnecting', error: 'The stream has ended.', sourceType: 'stream' } as const

test.each<{ name: string; facts: Partial<ProblemFacts>; sentence: string | null }>([
  { name: 'all is well', facts: {}, sentence: null },
  { name: 'a lost source', facts: { process: lost, telemetry: silent }, sentence: 'The stream has ended.' },
  {
    name: 'one that is lost while it is paused',
    facts: { process: { ...lost, state: 'paused' } },
    sentence: 'The stream has ended.',
  },
  {
    name: 'a stream without pictures',
    facts: { lastFrameAgeMs: 20_000, telemetry: silent },
    sentence: 'No picture for 20 s, though the stream goes on.',
  },
  {
    name: 'a stream of which much is lost',
    facts: { lossShare: 0.234, telemetry: silent },
    sentence: 'Parts of 23 % of the pictures are lost on the way: send them by TCP, or with a lower bitrate.',
  },
  {
    name: 'while it is paused nobody misses what is lost',
    facts: { process: { ...well.process, state: 'paused' }, lossShare: 0.5 },
    sentence: null,
  },
  {
    name: 'a file may take as long as it likes',
    facts: { process: { ...well.process, sourceType: 'file' }, lastFrameAgeMs: 20_000 },
    sentence: null,
  },
  {
    name: 'silent telemetry before an output',
    facts: { telemetry: silent, outputError: 'Refused.' },
    sentence: 'Telemetry: No message for 33 s.',
  },
  {
    name: 'telemetry of before, whatever it says',
    facts: { hasOldTelemetry: true, telemetry: silent },
    sentence: expect.stringMatching(/^Telemetry: .* stop and start it/) as string,
  },
  {
    name: 'telemetry of before, also while it waits for video',
    facts: { process: { ...well.process, state: 'waiting' }, hasOldTelemetry: true },
    sentence: expect.stringMatching(/^Telemetry: /) as string,
  },
  { name: 'an output', facts: { outputError: 'Refused.' }, sentence: 'An output cannot be sent: Refused.' },
  {
    name: 'while it waits for video nothing is missed',
    facts: { process: { ...well.process, state: 'waiting' }, telemetry: silent, lastFrameAgeMs: 60_000 },
    sentence: null,
  },
  { name: 'without telemetry none is missed', facts: { telemetry: null }, sentence: null },
])('$name', ({ facts, sentence }) => expect(problemOf({ ...well, ...facts })?.sentence ?? null).toEqual(sentence))

test('that telemetry is silent is one cause, however long it lasts', () => {
  const causes = ['No message for 33 s.', 'No message for 34 s.'].map(
    (error) => problemOf({ ...well, telemetry: { error, isSilent: true } })!.cause,
  )
  expect(causes[0]).toBe(causes[1])
})
