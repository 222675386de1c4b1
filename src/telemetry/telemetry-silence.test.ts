import { expect, test } from 'vitest'
import { describeSilence, expectedAt, type SilenceFacts } from './telemetry-silence.ts'

const heard: SilenceFacts = {
  ageMs: 100,
  openForMs: 60_000,
  maxAgeMs: 2_000,
  expected: 'Send it there.',
  refused: null,
}
const refused = { sentence: 'latitude is 91.', ageMs: 300 }

test.each<{ name: string; facts: Partial<SilenceFacts>; sentence: string | null }>([
  { name: 'fresh telemetry is not silent', facts: {}, sentence: null },
  { name: 'a short gap is none', facts: { ageMs: 5_000 }, sentence: null },
  {
    name: 'a longer one is',
    facts: { ageMs: 33_400 },
    sentence: 'No message for 33 s: positions are not known. The sender or its link may be off.',
  },
  { name: 'a sender that may be slow is waited for', facts: { ageMs: 33_400, maxAgeMs: 60_000 }, sentence: null },
  { name: 'the first message may take a while', facts: { ageMs: null, openForMs: 10_000 }, sentence: null },
  {
    name: 'then it is said where it should come',
    facts: { ageMs: null, openForMs: 10_001 },
    sentence: 'No message has come yet. Send it there.',
  },
  {
    name: 'messages that are refused are no silence of the sender',
    facts: { ageMs: 8_000, refused },
    sentence: 'No message could be used for 8 s: latitude is 91.',
  },
  {
    name: 'nor before the first good one',
    facts: { ageMs: null, refused },
    sentence: 'No message could be used yet: latitude is 91.',
  },
  {
    name: 'a refusal of long ago is not why there is nothing now',
    facts: { ageMs: 60_000, refused: { ...refused, ageMs: 50_000 } },
    sentence: 'No message for 60 s: positions are not known. The sender or its link may be off.',
  },
])('$name', ({ facts, sentence }) => expect(describeSilence({ ...heard, ...facts })).toBe(sentence))

test('it is known where telemetry is to be sent', () => {
  const parameters = { ip: '192.0.2.1', port: 1883, topic: 'drone/1' }
  expect(expectedAt({ type: 'websocket', format: 'native', parameters: {} }, 'p1')).toContain('/process/p1/telemetry')
  expect(expectedAt({ type: 'mqtt', format: 'native', parameters }, 'p1')).toContain(
    'topic drone/1 of the broker 192.0.2.1:1883',
  )
})
