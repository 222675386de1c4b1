const tones: Readonly<Record<string, string>> = {
  running: 'good',
  streaming: 'good',
  processing: 'good',
  finished: 'good',
  connected: 'good',
  alive: 'good',
  waiting: 'waiting',
  connecting: 'waiting',
  paused: 'waiting',
  starting: 'waiting',
  reconnecting: 'waiting',
  stopping: 'waiting',
  draining: 'waiting',
  silent: 'waiting',
  failed: 'bad',
  lost: 'bad',
  dead: 'bad',
}

/** A state as a word with a colour; the word alone says it too. */
export function StateBadge({ state }: { state: string }) {
  return <span class={`badge ${tones[state] ?? 'plain'}`}>{state}</span>
}
