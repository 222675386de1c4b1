import { isDeepStrictEqual } from 'node:util'
import { type InputError } from '../core/errors.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { inputInvalid } from '../core/refusals.ts'
import { maskTelemetryCfg, type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Source } from './source.ts'

/** The fields of a source that hold secrets, which are shown as `***`. */
interface SecretFields {
  readonly input_url?: string | undefined
  readonly telemetry_cfg?: TelemetryCfg | null | undefined
}

/**
 * A client that reads a source, changes it and sends it back sends the mask where the secret was: a field that is as it was shown stays as
 * it is, whatever others have made of it meanwhile.
 */
export function withoutShown<Change extends SecretFields>(change: Change, source: Source): Change {
  const { input_url: inputUrl, telemetry_cfg: telemetryCfg, ...others } = change
  const isUrlShown = inputUrl === source.inputUrl || inputUrl === maskSecrets(source.inputUrl)
  const isCfgShown = isDeepStrictEqual(telemetryCfg, source.telemetryCfg && maskTelemetryCfg(source.telemetryCfg))
  return {
    ...others,
    ...(inputUrl !== undefined && !isUrlShown && { input_url: inputUrl }),
    ...(telemetryCfg !== undefined && !isCfgShown && { telemetry_cfg: telemetryCfg }),
  } as Change
}

/** Throws where a mask was sent for a secret that is not known. */
export function checkNoMask({ input_url: inputUrl, telemetry_cfg: telemetryCfg }: SecretFields): void {
  const message = 'It has *** where the secret belongs; write the secret itself.'
  const errors: InputError[] = []
  if (inputUrl?.includes('***')) errors.push({ path: 'body.input_url', message })
  if (telemetryCfg?.type === 'mqtt' && telemetryCfg.parameters.password === '***')
    errors.push({ path: 'body.telemetry_cfg.parameters.password', message })
  if (errors.length > 0) throw inputInvalid(errors)
}
