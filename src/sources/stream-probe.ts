import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type OutboundRules } from '../outbound/rules.ts'
import { type Streams } from '../streams/streams.module.ts'
import { describeUnreadable } from './describe-unreadable.ts'
import { type Probe } from './prober.ts'
import { type SourcePaths } from './source-paths.ts'
import { type StreamLook } from './sources.schema.ts'

export interface StreamProbeDeps {
  readonly probe: Probe
  readonly paths: Pick<SourcePaths, 'mediaPathOf'>
  readonly streams: Pick<Streams, 'canBeRead' | 'grant'>
  /** What may be dialled for this account. */
  readonly rulesOf: (accountId: string) => Promise<OutboundRules>
}

export type StreamProbe = (account: Account, inputUrl: string) => Promise<StreamLook>

const WATCH_MS = 3_000
const TIMEOUT_MS = 7_000

/** Looks at an address before it is registered. Each account has one look at a time: a look keeps a process busy. */
export function createStreamProbe({ probe, paths, streams, rulesOf }: StreamProbeDeps): StreamProbe {
  const looking = new Set<string>()

  async function look({ id }: Account, input: string, outbound: OutboundRules | null): Promise<StreamLook> {
    try {
      const report = await probe(id, { input, isLive: true, watchMs: WATCH_MS, timeoutMs: TIMEOUT_MS, outbound })
      const { codec, width, height, fps, has_b_frames } = report
      return {
        is_readable: report.first_frame_ms !== null,
        video: { codec, width, height, fps, has_b_frames },
        problems: [...report.problems],
      }
    } catch (error) {
      if (error instanceof AppError) throw error
      return unreadable((error as Error).message)
    }
  }

  async function lookOnce(account: Account, inputUrl: string): Promise<StreamLook> {
    const path = await paths.mediaPathOf(account, inputUrl)
    if (path === null) return look(account, inputUrl, await rulesOf(account.id))
    if (!streams.canBeRead(path)) {
      const sentence = `Nothing is being published to ${path} yet. Save it all the same, and publish with an address that you make for it.`
      return { is_readable: false, video: null, problems: [sentence] }
    }
    const { url, revoke } = streams.grant('read', path)
    return look(account, url, null).finally(revoke)
  }

  return async (account, inputUrl) => {
    if (looking.has(account.id)) throw new AppError('probe-under-way')
    looking.add(account.id)
    try {
      return await lookOnce(account, inputUrl)
    } finally {
      looking.delete(account.id)
    }
  }
}

function unreadable(message: string): StreamLook {
  return { is_readable: false, video: null, problems: [describeUnreadable('It', message)] }
}
