import { AppError } from '../core/errors.ts'
import { readBrokerAddress } from './broker-address.ts'
import { type Output } from './output.schema.ts'

/** Throws with every output whose host is not called, each with the reason that `objectionTo` tells. */
export async function checkAddresses(
  outputs: readonly Output[],
  objectionTo: (hostname: string, port?: number) => Promise<string | undefined>,
): Promise<void> {
  const objections = await Promise.all(outputs.map((output) => objectionTo(...hostOf(output))))
  const errors = outputs.flatMap((output, index) => {
    const message = objections[index]
    const field = output.type === 'webhook' ? 'url' : 'host'
    return message === undefined ? [] : [{ path: `body.output.${index}.config.${field}`, message }]
  })
  if (errors.length > 0) throw new AppError('input-invalid', {}, { errors })
}

function hostOf(output: Output): [hostname: string, port?: number] {
  if (output.type === 'webhook') return [new URL(output.config.url).hostname]
  const address = readBrokerAddress(output.config.host)
  return 'problem' in address ? [''] : [address.host, address.port]
}
