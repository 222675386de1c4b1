import { type ObjectStoreConfig } from '../core/object-store-config.ts'
import { type BucketFacts } from '../storage/object-store/examine-bucket.ts'
import { type Finding } from './finding.ts'

/** Undefined where none is set; without `bucket` where its key is not known here. */
export interface ObjectStoreFacts {
  readonly config: Pick<ObjectStoreConfig, 'origin' | 'bucket' | 'prefix' | 'links'>
  readonly bucket: BucketFacts | null
}

/** A store refuses us from a quarter of an hour on. */
const MAX_GOOD_SKEW_MS = 60_000

export function objectStoreFindings(facts: ObjectStoreFacts | undefined): Finding[] {
  if (!facts) return []
  const topic = 'store'
  const { origin, bucket, prefix, links } = facts.config
  const place = `${origin}/${bucket}/${prefix}`
  if (!facts.bucket) {
    const sentence = `The service keeps files in ${place}, and could not look there: the key is not in the settings of this shell.`
    const advice = 'Run this with the settings of the service, as where they are in its config.yml.'
    return [{ level: 'note', topic, sentence, advice }]
  }
  const { problem, skewMs } = facts.bucket
  const findings: Finding[] = []
  if (problem !== null) {
    const advice =
      'Files wait on the disk meanwhile, as long as AERIE_DISK_BUDGET allows; docs/object-store.md says more.'
    findings.push({ level: 'warn', topic, sentence: problem, advice })
  } else {
    const way = links === 'presigned' ? 'Clients are sent there with links' : 'Clients get files through this service'
    findings.push({ level: 'ok', topic, sentence: `${place} can be written and read. ${way}.` })
  }
  if (skewMs !== null && Math.abs(skewMs) > MAX_GOOD_SKEW_MS) {
    const sentence = `The clock of ${origin} is ${Math.round(Math.abs(skewMs) / 60_000)} min ${skewMs > 0 ? 'ahead of' : 'behind'} ours.`
    findings.push({ level: 'note', topic, sentence, advice: 'Set the clocks by NTP: from 15 min on it refuses us.' })
  }
  if (origin.startsWith('http://') && !/^http:\/\/(127\.|localhost|\[::1\])/.test(origin)) {
    const sentence = `What goes to ${origin} travels unencrypted.`
    findings.push({ level: 'note', topic, sentence, advice: 'Use https, unless that network is yours alone.' })
  }
  return findings
}
