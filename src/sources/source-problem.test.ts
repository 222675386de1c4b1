import { expect, test } from 'vitest'
import { type SourceConnection } from './source.ts'
import { describeSourceProblem, type SourceFacts } from './source-problem.ts'

const now = Date.UTC(2026, 0, 1, 12)
const connected: SourceConnection = { kind: 'published', state: 'connected', since: now - 60_000, lastError: null }
const well: SourceFacts = {
  connection: connected,
  lastFrame: { atMs: now, ageMs: 40 },
  isVideoNeeded: true,
  telemetryError: null,
  now,
}
const old = { atMs: now - 90_000, ageMs: 90_000 }
const refused = { sentence: 'The camera refuses the password.', at: now - 3_000 }
const camera = (state: SourceConnection['state']) => ({ connection: { ...connected, kind: 'pulled' as const, state } })

test.each<{ name: string; facts: Partial<SourceFacts>; problem: string | null }>([
  { name: 'all is well', facts: {}, problem: null },
  { name: 'of a file nothing is said', facts: { connection: null, lastFrame: null }, problem: null },
  {
    name: 'a publisher that is connected and silent',
    facts: { lastFrame: { atMs: now - 12_300, ageMs: 12_300 } },
    problem: 'Connected, but no video for 12 s.',
  },
  {
    name: 'the silence of one that has come back begins when it did',
    facts: { connection: { ...connected, since: now - 7_000 }, lastFrame: old },
    problem: 'Connected, but no video for 7 s.',
  },
  { name: 'one that sent nothing at all', facts: { lastFrame: null }, problem: 'Connected, but no video for 60 s.' },
  {
    name: 'one that has just come may take a moment',
    facts: { connection: { ...connected, since: now - 1_000 }, lastFrame: null },
    problem: null,
  },
  {
    name: 'telemetry that is missed',
    facts: { telemetryError: 'No message for 6 s.' },
    problem: 'Telemetry: No message for 6 s.',
  },
  {
    name: 'a stream that a process wants',
    facts: { connection: { ...connected, state: 'offline', since: null }, lastFrame: old },
    problem: 'Nothing has been sent for 90 s.',
  },
  {
    name: 'one that never came',
    facts: { connection: { ...connected, state: 'offline', since: null }, lastFrame: null },
    problem: 'Nothing is being sent.',
  },
  {
    name: 'one that nobody needs now',
    facts: { connection: { ...connected, state: 'offline', since: null }, lastFrame: old, isVideoNeeded: false },
    problem: null,
  },
  {
    name: 'a lost camera',
    facts: { connection: { ...camera('lost').connection, lastError: refused }, lastFrame: old },
    problem: refused.sentence,
  },
  {
    name: 'it stays lost while it is tried again',
    facts: { connection: { ...camera('connecting').connection, lastError: refused }, lastFrame: old },
    problem: refused.sentence,
  },
  {
    name: 'what was wrong before it last worked is over',
    facts: { connection: { ...camera('connecting').connection, lastError: refused } },
    problem: null,
  },
  { name: 'a camera that nobody needs', facts: { ...camera('idle'), lastFrame: old }, problem: null },
])('$name', ({ facts, problem }) => expect(describeSourceProblem({ ...well, ...facts })).toBe(problem))
