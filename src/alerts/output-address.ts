import { isIP } from 'node:net'
import { AppError } from '../core/errors.ts'
import { readBrokerAddress } from './broker-address.ts'
import { type Output } from './output.schema.ts'

/** Names are checked when they are called, and each time; what is an address already is refused at once. */
export function checkAddresses(outputs: readonly Output[], mayCall: (address: string) => boolean): void {
  const errors = outputs.flatMap((output, index) => {
    const literal = hostOf(output).replace(/^\[|\]$/g, '')
    if (!isIP(literal) || mayCall(literal)) return []
    const field = output.type === 'webhook' ? 'url' : 'host'
    const message = 'this address may not be called; see AERIE_OUTBOUND_DENY'
    return [{ path: `body.output.${index}.config.${field}`, message }]
  })
  if (errors.length > 0) throw new AppError('input-invalid', {}, { errors })
}

function hostOf(output: Output): string {
  if (output.type === 'webhook') return new URL(output.config.url).hostname
  const address = readBrokerAddress(output.config.host)
  return 'problem' in address ? '' : address.host
}
