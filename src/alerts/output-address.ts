import { AppError } from '../core/errors.ts'
import { whyNotCalled } from '../core/literal-address.ts'
import { readBrokerAddress } from './broker-address.ts'
import { type Output } from './output.schema.ts'

/** Throws with every output that names an address that may not be called. */
export function checkAddresses(outputs: readonly Output[], mayCall: (address: string) => boolean): void {
  const errors = outputs.flatMap((output, index) => {
    const message = whyNotCalled(hostOf(output), mayCall)
    if (!message) return []
    const field = output.type === 'webhook' ? 'url' : 'host'
    return [{ path: `body.output.${index}.config.${field}`, message }]
  })
  if (errors.length > 0) throw new AppError('input-invalid', {}, { errors })
}

function hostOf(output: Output): string {
  if (output.type === 'webhook') return new URL(output.config.url).hostname
  const address = readBrokerAddress(output.config.host)
  return 'problem' in address ? '' : address.host
}
