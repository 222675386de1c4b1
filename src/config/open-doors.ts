import { type Config } from './config.ts'

/** What the settings open to those who show no key, a sentence each; none with the defaults. */
export function openDoors({ mediaAuth, metricsAuth }: Pick<Config, 'mediaAuth' | 'metricsAuth'>): string[] {
  const sentences = [mediaSentences[mediaAuth], metricsSentences[metricsAuth.need]]
  return sentences.filter((sentence) => sentence !== undefined)
}

const mediaSentences: Readonly<Record<Config['mediaAuth'], string | undefined>> = {
  always: undefined,
  remote:
    'AERIE_MEDIA_AUTH=remote: every program and user on this machine, and every visitor of a reverse proxy on it that AERIE_TRUST_PROXY does not list, may watch all streams of all accounts without a key; always closes this.',
  off: 'AERIE_MEDIA_AUTH=off: whoever reaches this service may watch all streams of all accounts without a key; always closes this.',
}

const metricsSentences: Readonly<Record<Config['metricsAuth']['need'], string | undefined>> = {
  always: undefined,
  off: 'AERIE_METRICS_AUTH=off: whoever reaches this service may read /metrics without a key; always closes this.',
}
