import { type Account } from '../core/account.ts'
import { type RecordingChoice } from '../core/recording-mode.ts'
import { inputInvalid } from '../core/refusals.ts'
import { type DialCheck } from './dial-check.ts'
import { chooseRecording } from './recording-choice.ts'
import { fileFingerprint, type Source, streamFingerprint } from './source.ts'
import { type SourcePaths } from './source-paths.ts'
import { type SourceRegistry } from './source-registry.ts'
import { checkNoMask, withoutShown } from './source-secrets.ts'
import { type SourceChange } from './sources.schema.ts'

export interface SourceChangerDeps {
  readonly registry: Pick<SourceRegistry, 'change'>
  readonly paths: Pick<SourcePaths, 'mediaPathOf'>
  readonly dials: Pick<DialCheck, 'checkBroker'>
  /** Of all models. */
  readonly knownClasses: () => ReadonlySet<string>
  /** The sources on these paths have changed. */
  readonly refresh: (...paths: readonly (string | null)[]) => Promise<void>
}

/** Changes what was registered. `isProcessed` is asked right before the change is written: whether a process of this node reads the source. */
export type ChangeSource = (
  account: Account,
  source: Source,
  change: SourceChange,
  isProcessed: () => boolean,
) => Promise<Source>

export function createSourceChanger({
  registry,
  paths,
  dials,
  knownClasses,
  refresh,
}: SourceChangerDeps): ChangeSource {
  return async (account, source, change, isProcessed) => {
    if (source.type === 'file') checkFileChange(change)
    // An address that stays is not looked up again: its camera may be off just now.
    const { input_url: inputUrl, ...others } = withoutShown(change, source)
    checkNoMask({ input_url: inputUrl, telemetry_cfg: others.telemetry_cfg })
    await dials.checkBroker(account, others.telemetry_cfg)
    const address =
      inputUrl === undefined ? undefined : { inputUrl, pathHere: await paths.mediaPathOf(account, inputUrl) }
    const { before, source: changed } = await registry.change(
      account,
      source.id,
      (current) => changedSource(current, others, chooseRecording(current, others, knownClasses()), address),
      // Its processes read the path that they began with.
      { mayMove: () => !isProcessed() },
    )
    await refresh(before.mediaPath, changed.mediaPath)
    return changed
  }
}

/** `pathHere`: the path of our own media server to which it leads, null for a camera elsewhere. */
interface NewAddress {
  readonly inputUrl: string
  readonly pathHere: string | null
}

function changedSource(
  source: Source,
  { alias = source.alias, telemetry_cfg: telemetryCfg = source.telemetryCfg }: SourceChange,
  recording: RecordingChoice,
  address: NewAddress | undefined,
): Source {
  const changed = { ...source, alias, telemetryCfg, ...recording, ...(address && addressed(source, address)) }
  return { ...changed, fingerprint: fingerprintOf(changed) }
}

/** A camera keeps its path, however its address changes. */
function addressed({ isPulled, mediaPath }: Source, { inputUrl, pathHere }: NewAddress) {
  const streamType = inputUrl.toLowerCase().startsWith('rtmp') ? 'rtmp' : 'rtsp'
  if (pathHere !== null) return { inputUrl, streamType, mediaPath: pathHere, isPulled: false } as const
  return { inputUrl, streamType, mediaPath: isPulled ? mediaPath : null, isPulled: true } as const
}

function fingerprintOf({ contentSha256, streamType, ...source }: Source): string {
  return contentSha256 === null
    ? streamFingerprint({ ...source, streamType: streamType! })
    : fileFingerprint({ ...source, contentSha256 })
}

function checkFileChange(change: SourceChange): void {
  const errors = (['input_url', 'record', 'recording_mode', 'recording_classes'] as const)
    .filter((field) => change[field] !== undefined)
    .map((field) => ({ path: `body.${field}`, message: 'This is of streams; the source is a file.' }))
  if (errors.length > 0) throw inputInvalid(errors)
}
