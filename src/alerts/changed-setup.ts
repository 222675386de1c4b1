import { checkInput } from '../core/check-input.ts'
import { type InputError } from '../core/errors.ts'
import { inputInvalid } from '../core/refusals.ts'
import { type Alert, Setup } from './alert.ts'
import { type AlertChange } from './alerts.schema.ts'
import { isMaskLeft, withKeptSecrets } from './output.schema.ts'

/** An alert's setup with some of its fields replaced, each as a whole; throws with every place that is wrong. */
export function changedSetup({ setup }: Alert, change: AlertChange): Setup {
  const { trigger, region, filter, parameters, output } = change
  const sent = Object.entries({ trigger, region, filter, parameters, output }).filter(
    ([, value]) => value !== undefined,
  )
  if (sent.length === 0) return setup
  const { value, errors } = checkInput(Setup, { ...setup, ...Object.fromEntries(sent) }, 'body')
  if (errors) throw inputInvalid(errors)
  return output ? { ...value, output: withKeptSecrets(value.output, setup.output) } : value
}

/** Throws when a setup names classes that no model knows, or has masks where secrets belong. */
export function checkSetup({ filter, output }: Setup, knownClasses: ReadonlySet<string>): void {
  const unknown = (filter.classes ?? []).flatMap((name, index): InputError[] =>
    knownClasses.has(name)
      ? []
      : [{ path: `body.filter.classes.${index}`, message: `no model knows ${name}; GET /models lists what they know` }],
  )
  const masked = output.flatMap((one, index): InputError[] =>
    isMaskLeft(one)
      ? [
          {
            path: `body.output.${index}.config`,
            message: 'has a mask where the secret belongs; write the secret again',
          },
        ]
      : [],
  )
  const errors = [...unknown, ...masked]
  if (errors.length > 0) throw inputInvalid(errors)
}
